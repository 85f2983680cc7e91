// TODO: read what our accountants need from Stripe. There may be thousands of entries in every list.

/**
 * What moved our balance in one currency, summed up by reporting category ("charge", "refund", "payout", …).
 * `from` belongs to the period, `until` no longer does; both are whole seconds. Amounts are in the currency's smallest unit.
 *
 * @param {import('stripe').default} stripe
 * @param {{ from: Date, until: Date, currency: string }} period currency: as Stripe writes it ("eur")
 * @returns {Promise<Record<string, { count: number, gross: number, fees: number, net: number }>>} gross: the sum
 *   of the balance transactions' amounts; {} if there are none
 */
export async function totals(stripe, period) {
  throw new Error('Not implemented')
}

/**
 * The customer's newest charges that succeeded and were not refunded in full, newest first (as Stripe lists them).
 * No further page is asked for once there are enough.
 *
 * @param {import('stripe').default} stripe
 * @param {string} customer
 * @param {number} count how many at most
 * @returns {Promise<{ id: string, kept: number }[]>} kept: the charge's amount less what was refunded of it
 */
export async function newestCharges(stripe, customer, count) {
  throw new Error('Not implemented')
}

/**
 * The charges that a payout paid out, in the order of Stripe's list: the sources of its balance transactions of
 * the type "charge", expanded.
 *
 * @param {import('stripe').default} stripe
 * @param {string} payout
 * @returns {Promise<{ charge: string, email: string | null, net: number }[]>} email: of the billing details;
 *   net: of the balance transaction
 */
export async function paidOut(stripe, payout) {
  throw new Error('Not implemented')
}
