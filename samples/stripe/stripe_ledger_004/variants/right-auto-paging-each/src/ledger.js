export async function totals(stripe, { from, until, currency }) {
  const result = {}
  const created = { gte: Math.floor(from.valueOf() / 1000), lt: Math.floor(until.valueOf() / 1000) }
  await stripe.balanceTransactions.list({ created, currency }).autoPagingEach((transaction) => {
    const category = transaction.reporting_category
    result[category] ||= { count: 0, gross: 0, fees: 0, net: 0 }
    result[category].count++
    result[category].gross += transaction.amount
    result[category].fees += transaction.fee
    result[category].net += transaction.net
  })
  return result
}

export async function newestCharges(stripe, customer, count) {
  const result = []
  if (count === 0) return result
  await stripe.charges.list({ customer, limit: 100 }).autoPagingEach((charge) => {
    if (charge.status === 'succeeded' && charge.amount > charge.amount_refunded) {
      result.push({ id: charge.id, kept: charge.amount - charge.amount_refunded })
    }
    return result.length < count
  })
  return result
}

export async function paidOut(stripe, payout) {
  const list = stripe.balanceTransactions.list({ payout, type: 'charge', expand: ['data.source'], limit: 100 })
  const transactions = await list.autoPagingToArray({ limit: 10_000 })
  return transactions.map(({ source, net }) => ({ charge: source.id, email: source.billing_details.email, net }))
}
