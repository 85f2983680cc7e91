// TODO: what we have to know of a subscription.

/**
 * What a subscription runs on. Ours have one item each.
 *
 * @param {import('stripe').default} stripe
 * @param {string} id
 * @returns {Promise<{ item: string, price: string, amount: number, quantity: number, from: number, until: number,
 *   schedule: string | null }>} item: its id; amount: the price's unit_amount; from and until: the running period, as
 *   Stripe tells it (in seconds); schedule: the id of the subscription schedule that it is attached to
 */
export async function subscriptionOf(stripe, id) {
  throw new Error('Not implemented')
}
