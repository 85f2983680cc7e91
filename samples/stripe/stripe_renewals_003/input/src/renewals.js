// TODO: charge saved cards for renewals, while the subscribers are away.

/**
 * @typedef {object} Renewal
 * @property {string} id
 * @property {number} attempt counted from 1
 * @property {string} customer id at Stripe
 * @property {string} paymentMethod id of the customer's saved card
 * @property {number} amount in the currency's smallest unit
 * @property {string} currency as Stripe writes it
 */

/**
 * @typedef {{ status: 'paid' | 'pending', payment: string }
 *   | { status: 'action_needed', payment: string, clientSecret: string }
 *   | { status: 'declined', reason: string, final: boolean }} Outcome payment: the id of the PaymentIntent
 */

/**
 * Charges the card by one PaymentIntent, confirmed at once and off session, with the renewal's id as `renewal` in
 * its metadata. The idempotency key is renewal:ID:ATTEMPT. Outcomes:
 *
 * - the payment succeeded: "paid"; it is still processing: "pending";
 * - the bank wants to see the customer (code "authentication_required"): "action_needed", with the payment
 *   and its client secret, which Stripe sends along with the error;
 * - the card was refused in any other way: "declined". The reason is the decline code, or the error's code where
 *   there is none. It is final (another attempt is pointless) for expired_card, lost_card, pickup_card and
 *   stolen_card.
 *
 * Any other error is no outcome: it is thrown as the SDK throws it.
 *
 * @param {import('stripe').default} stripe
 * @param {Renewal} renewal
 * @returns {Promise<Outcome>}
 */
export async function renew(stripe, renewal) {
  throw new Error('Not implemented')
}

/**
 * Renews one after the other, in the order given.
 *
 * A request that Stripe calls invalid (a deleted customer, say) concerns that renewal alone: its result is
 * { id, status: "failed", message } with Stripe's message, and the next one is tried. Whatever else is thrown
 * (a revoked key, a limit, Stripe being down) would hit the next ones too: nothing more is tried, `stopped` is the
 * error's message, and `left` has the ids of this renewal and of all after it.
 *
 * @param {import('stripe').default} stripe
 * @param {Renewal[]} renewals
 * @returns {Promise<{ results: object[], left: string[], stopped: string | null }>} results: { id, ...outcome }
 */
export async function renewAll(stripe, renewals) {
  throw new Error('Not implemented')
}
