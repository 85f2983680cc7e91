import Stripe from 'stripe'

/** A client as the environment describes it. */
export function createStripe(env) {
  return new Stripe(keyOf(env), {
    ...serverOf(env),
    maxNetworkRetries: retriesOf(env),
    stripeAccount: env.STRIPE_ACCOUNT || undefined,
    appInfo: { name: 'acme-shop', version: '1.4.0' },
    telemetry: false,
  })
}

function keyOf({ STRIPE_SECRET_KEY = '', SHOP_ENV }) {
  const key = STRIPE_SECRET_KEY.trim()
  if (key === '') throw new Error('STRIPE_SECRET_KEY is not set.')
  if (!/^[sr]k_/.test(key)) throw new Error('STRIPE_SECRET_KEY is no secret key.')
  if (/^.k_live_/.test(key) && SHOP_ENV !== 'production') {
    throw new Error('STRIPE_SECRET_KEY is a live key, but SHOP_ENV is not production.')
  }
  return key
}

function retriesOf({ STRIPE_RETRIES = '1' }) {
  if (!/^[0-5]$/.test(STRIPE_RETRIES)) throw new Error('STRIPE_RETRIES must be a whole number from 0 to 5.')
  return Number(STRIPE_RETRIES)
}

function serverOf({ STRIPE_API_BASE }) {
  if (!STRIPE_API_BASE) return {}
  const [, protocol] = /^(https?):\/\//.exec(STRIPE_API_BASE) ?? []
  if (!protocol || !URL.canParse(STRIPE_API_BASE)) throw new Error('STRIPE_API_BASE is no address of a server.')
  const { hostname, port } = new URL(STRIPE_API_BASE)
  return { protocol, host: hostname, port: Number(port) || (protocol === 'https' ? 443 : 80) }
}

/** Asks Stripe for the balance, to see whether the client works. */
export async function checkStripe(stripe) {
  try {
    const { livemode } = await stripe.balance.retrieve()
    return livemode ? 'live' : 'test'
  } catch (error) {
    const { StripeAuthenticationError, StripeConnectionError, StripePermissionError } = Stripe.errors
    if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) return 'refused'
    if (error instanceof StripeConnectionError) return 'unreachable'
    throw error
  }
}
