/** What a subscription runs on. */
export async function subscriptionOf(stripe, id) {
  const { items, schedule } = await stripe.subscriptions.retrieve(id)
  const [{ id: item, price, quantity, current_period_start: from, current_period_end: until }] = items.data
  return { item, price: price.id, amount: price.unit_amount, quantity, from, until, schedule }
}
