// TODO: our clients as Stripe customers.

/**
 * The id of the Stripe customer with that email address, which Stripe compares letter by letter: we always write it
 * and look for it in lower case. If there are several, it is the oldest one (by `created`). If there is none, one is
 * made with that address and the name; its idempotency key is customer:EMAIL.
 *
 * @param {import('stripe').default} stripe
 * @param {{ email: string, name: string }} client
 * @returns {Promise<string>}
 */
export async function customerFor(stripe, client) {
  throw new Error('Not implemented')
}
