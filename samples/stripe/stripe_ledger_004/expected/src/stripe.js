import Stripe from 'stripe'

/** The shop's one way to Stripe. `host`, `port` and `protocol` are only given where a test server stands in for it. */
export function connect({ apiKey, ...connection }) {
  return new Stripe(apiKey, { maxNetworkRetries: 0, telemetry: false, ...connection })
}
