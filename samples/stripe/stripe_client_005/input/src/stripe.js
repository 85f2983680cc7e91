// TODO: the one place of our shop where a Stripe client is made.

/**
 * A client as the environment describes it:
 *
 *   STRIPE_SECRET_KEY  the key; blanks around it are cut off. It must be a secret (sk_) or restricted (rk_) one.
 *   SHOP_ENV           live keys (sk_live_, rk_live_) are only allowed if this is "production"
 *   STRIPE_RETRIES     how often the SDK sends a request again after a failure of the network: 0 to 5; 1 if missing
 *   STRIPE_ACCOUNT     the connected account that all requests are for, if any
 *   STRIPE_API_BASE    the address of a server that stands in for Stripe ("http://localhost:12111"), if any
 *
 * The client names itself to Stripe as acme-shop, version 1.4.0 (`appInfo`), and sends no telemetry.
 *
 * What is wrong with the environment is an Error with one of these messages:
 *
 *   STRIPE_SECRET_KEY is not set.                                      (or is blank)
 *   STRIPE_SECRET_KEY is no secret key.
 *   STRIPE_SECRET_KEY is a live key, but SHOP_ENV is not production.
 *   STRIPE_RETRIES must be a whole number from 0 to 5.
 *   STRIPE_API_BASE is no address of a server.                         (http or https)
 *
 * @param {Record<string, string | undefined>} env such as process.env
 * @returns {import('stripe').default}
 */
export function createStripe(env) {
  throw new Error('Not implemented')
}

/**
 * Asks Stripe for the balance, to see whether the client works: "live" or "test" (of which mode the balance is),
 * "refused" if Stripe does not accept the key or the key may not do that, "unreachable" if there is no connection.
 * Any other error is thrown as the SDK throws it.
 *
 * @param {import('stripe').default} stripe
 * @returns {Promise<'live' | 'test' | 'refused' | 'unreachable'>}
 */
export async function checkStripe(stripe) {
  throw new Error('Not implemented')
}
