/** The id of the Stripe customer with that email address, who is made if there is none. */
export async function customerFor(stripe, { email, name }) {
  const address = email.toLowerCase()
  let oldest = null
  for await (const customer of stripe.customers.list({ email: address, limit: 100 })) {
    if (oldest === null || customer.created < oldest.created) oldest = customer
  }
  if (oldest !== null) return oldest.id
  const made = await stripe.customers.create({ email: address, name }, { idempotencyKey: `customer:${address}` })
  return made.id
}
