const moment = (seconds) => new Date(seconds * 1000)

async function onlyItem(stripe, id) {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['items'] })
  const [item] = subscription.items.data
  return item
}

export const paidUntil = async (stripe, id) => moment((await onlyItem(stripe, id)).current_period_end)

export async function cancel(stripe, id, options) {
  if (options?.now === true) return moment((await stripe.subscriptions.cancel(id)).ended_at)
  const { items } = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  return moment(items.data.at(0).current_period_end)
}

export const discount = async (stripe, id, coupon) => {
  await stripe.subscriptions.update(id, { discounts: [{ coupon }] })
}

export async function previewChange(stripe, subscription, price) {
  const { id } = await onlyItem(stripe, subscription)
  const subscription_details = { proration_behavior: 'always_invoice', items: [{ id, price }] }
  const { amount_due: amount, currency } = await stripe.invoices.createPreview({ subscription, subscription_details })
  return { amount, currency }
}
