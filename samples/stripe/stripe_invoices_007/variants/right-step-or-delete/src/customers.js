export async function customerFor(stripe, client) {
  const email = client.email.toLowerCase()
  const known = await stripe.customers.list({ email }).autoPagingToArray({ limit: 1000 })
  known.sort((one, other) => one.created - other.created)
  const [customer = await stripe.customers.create({ name: client.name, email }, { idempotencyKey: 'customer:' + email })] = known
  return customer.id
}
