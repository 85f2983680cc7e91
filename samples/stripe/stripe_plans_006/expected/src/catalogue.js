/** The active price of a plan, whose name is the price's lookup key. */
export async function priceOf(stripe, plan) {
  const { data } = await stripe.prices.list({ lookup_keys: [plan], active: true })
  if (data.length === 0) throw new Error(`No such plan: ${plan}`)
  return { price: data[0].id, amount: data[0].unit_amount }
}
