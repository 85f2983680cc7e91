// TODO: our plans.

/**
 * The active price of a plan: Stripe finds prices by their lookup key, and a plan's name is one.
 *
 * @param {import('stripe').default} stripe
 * @param {string} plan
 * @returns {Promise<{ price: string, amount: number }>} the price's id and unit_amount; Error('No such plan: PLAN') if
 *   there is no active price of that key
 */
export async function priceOf(stripe, plan) {
  throw new Error('Not implemented')
}
