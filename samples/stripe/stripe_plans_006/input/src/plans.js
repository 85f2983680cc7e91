// TODO: change plans.

/**
 * Changes the plan of a subscription.
 *
 * - A plan that costs more begins at once. A schedule that the subscription is attached to is released first; then
 *   the item gets the new price. The difference is invoiced at once (proration_behavior "always_invoice") and must be
 *   paid for the change to be made (payment_behavior "error_if_incomplete"). { change: "now" }. If the card is refused,
 *   nothing is thrown: { change: "declined", reason }, with the decline code, or the error's code where there is none.
 * - Any other plan begins when the running period is over: { change: "later", at }, with that moment as a Date. It
 *   needs a subscription schedule: the one that the subscription is attached to, or else a new one made from the
 *   subscription. It is updated to two phases: the first with the price and quantity that the item has now, and the
 *   running period's start and end; the second with the new price and the same quantity. There are no prorations
 *   (proration_behavior "none"), and afterwards the subscription goes on without the schedule (end_behavior "release").
 *   If a new schedule can't be updated, it is released again, and the error of the update is thrown, even if the
 *   release fails as well. A schedule that was there already is left as it is.
 * - The plan that it has already: a schedule is released, as the change that it held is not wanted any more:
 *   { change: "kept" }. Without a schedule nothing is done: { change: "none" }.
 *
 * Other errors are thrown as they come.
 *
 * @param {import('stripe').default} stripe
 * @param {string} id of the subscription
 * @param {string} plan
 * @returns {Promise<{ change: 'now' | 'kept' | 'none' } | { change: 'declined', reason: string }
 *   | { change: 'later', at: Date }>}
 */
export async function changePlan(stripe, id, plan) {
  throw new Error('Not implemented')
}
