export async function aboutInvoice(stripe, id) {
  const { parent, payments } = await stripe.invoices.retrieve(id, { expand: ['payments'] })
  let payment = null
  for (const one of payments.data) {
    if (one.status === 'paid') payment = one.payment.payment_intent
  }
  const isSubscription = parent !== null && parent.type === 'subscription_details'
  return { subscription: isSubscription ? parent.subscription_details.subscription : null, payment }
}
