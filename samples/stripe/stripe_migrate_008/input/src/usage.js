// Written for stripe 11 (API version 2022-11-15).

/**
 * Reports that a customer made so many requests of our service. `key` belongs to the report: Stripe counts it once,
 * however often it is sent.
 *
 * Usage records are gone. Our prices have moved to a billing meter, which adds up events of the name "api_requests" and has
 * Stripe's usual payload: stripe_customer_id and value. An event's identifier takes the place of the key.
 *
 * @param {{ customer: string, item: string, requests: number, at: Date, key: string }} report item: the id of the
 *   subscription item, which the meter does not want any more
 */
export async function reportUsage(stripe, { customer, item, requests, at, key }) {
  const timestamp = Math.floor(at.getTime() / 1000)
  await stripe.subscriptionItems.createUsageRecord(
    item,
    { quantity: requests, timestamp, action: 'increment' },
    { idempotencyKey: key },
  )
}
