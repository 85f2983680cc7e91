// Wrong: the first customer in the list is the newest.
/** The id of the Stripe customer with that email address, who is made if there is none. */
export async function customerFor(stripe, { email, name }) {
  const address = email.toLowerCase()
  const { data } = await stripe.customers.list({ email: address, limit: 1 })
  if (data.length > 0) return data[0].id
  const made = await stripe.customers.create({ email: address, name }, { idempotencyKey: `customer:${address}` })
  return made.id
}
