// Wrong: usage records are gone, however they are sent.
/**
 * Reports that a customer made so many requests of our service. `key` belongs to the report: Stripe counts it once,
 * however often it is sent.
 */
export async function reportUsage(stripe, { item, requests, at, key }) {
  const timestamp = Math.floor(at.getTime() / 1000)
  const record = { quantity: requests, timestamp, action: 'increment' }
  await stripe.rawRequest('POST', `/v1/subscription_items/${item}/usage_records`, record, { idempotencyKey: key })
}
