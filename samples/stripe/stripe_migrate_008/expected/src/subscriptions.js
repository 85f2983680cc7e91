/** Ends a subscription now, or with its running period; the moment when it ends. */
export async function cancel(stripe, id, { now = false } = {}) {
  if (now) {
    const subscription = await stripe.subscriptions.cancel(id)
    return new Date(subscription.ended_at * 1000)
  }
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  return paidUntil(stripe, id)
}

/** The end of the running period of a subscription (ours have one item each). */
export async function paidUntil(stripe, id) {
  const { items } = await stripe.subscriptions.retrieve(id)
  return new Date(items.data[0].current_period_end * 1000)
}

/** Gives a subscription a discount, instead of any that it has. */
export async function discount(stripe, id, coupon) {
  await stripe.subscriptions.update(id, { discounts: [{ coupon }] })
}

/** What would be due at once if the subscription changed to another price: { amount, currency }. */
export async function previewChange(stripe, id, price) {
  const { customer, items } = await stripe.subscriptions.retrieve(id)
  const invoice = await stripe.invoices.createPreview({
    customer,
    subscription: id,
    subscription_details: { items: [{ id: items.data[0].id, price }], proration_behavior: 'always_invoice' },
  })
  return { amount: invoice.amount_due, currency: invoice.currency }
}
