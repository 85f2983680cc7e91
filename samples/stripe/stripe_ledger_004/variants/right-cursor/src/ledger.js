import { everything } from './pages.js'

const unix = (date) => Math.trunc(date / 1000)

export async function totals(stripe, { from, until, currency }) {
  const sums = new Map()
  const params = { created: { gte: unix(from), lte: unix(until) - 1 } }
  for await (const { currency: own, reporting_category: category, amount, fee, net } of everything((p) => stripe.balanceTransactions.list(p), params)) {
    if (own !== currency) continue
    const { count, gross, fees, net: sum } = sums.get(category) ?? { count: 0, gross: 0, fees: 0, net: 0 }
    sums.set(category, { count: count + 1, gross: gross + amount, fees: fees + fee, net: sum + net })
  }
  return Object.fromEntries(sums)
}

export async function newestCharges(stripe, customer, count) {
  const good = []
  if (count > 0) {
    for await (const charge of everything((p) => stripe.charges.list(p), { customer })) {
      if (charge.status === 'succeeded' && !charge.refunded) good.push(charge)
      if (good.length === count) break
    }
  }
  return good.map(({ id, amount, amount_refunded: back }) => ({ id, kept: amount - back }))
}

export async function paidOut(stripe, payout) {
  const lines = []
  for await (const { type, source, net } of everything((p) => stripe.balanceTransactions.list(p), { payout })) {
    if (type !== 'charge') continue
    const { billing_details } = await stripe.charges.retrieve(source)
    lines.push({ charge: source, email: billing_details.email, net })
  }
  return lines
}
