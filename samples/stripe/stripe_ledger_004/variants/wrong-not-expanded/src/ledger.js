// Wrong: Stripe gives the id of a source unless it is expanded.
const PAGE = 100 // Stripe's largest

/** What moved our balance in one currency, summed up by reporting category. */
export async function totals(stripe, { from, until, currency }) {
  const created = { gte: seconds(from), lt: seconds(until) }
  const sums = {}
  for await (const entry of stripe.balanceTransactions.list({ created, currency, limit: PAGE })) {
    const sum = (sums[entry.reporting_category] ??= { count: 0, gross: 0, fees: 0, net: 0 })
    sum.count += 1
    sum.gross += entry.amount
    sum.fees += entry.fee
    sum.net += entry.net
  }
  return sums
}

/** The customer's newest charges that succeeded and were not refunded in full. */
export async function newestCharges(stripe, customer, count) {
  const charges = []
  if (count < 1) return charges
  for await (const charge of stripe.charges.list({ customer, limit: PAGE })) {
    if (charge.status !== 'succeeded' || charge.refunded) continue
    charges.push({ id: charge.id, kept: charge.amount - charge.amount_refunded })
    if (charges.length === count) break
  }
  return charges
}

/** The charges that a payout paid out. */
export async function paidOut(stripe, payout) {
  const lines = []
  const query = { payout, type: 'charge', limit: PAGE }
  for await (const { source, net } of stripe.balanceTransactions.list(query)) {
    lines.push({ charge: source.id, email: source.billing_details.email, net })
  }
  return lines
}

function seconds(date) {
  return Math.floor(date.getTime() / 1000)
}
