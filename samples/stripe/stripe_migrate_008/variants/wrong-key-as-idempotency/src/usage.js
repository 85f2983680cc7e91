// Wrong: the meter counts identifiers.
/**
 * Reports that a customer made so many requests of our service. `key` belongs to the report: Stripe counts it once,
 * however often it is sent.
 */
export async function reportUsage(stripe, { customer, requests, at, key }) {
  await stripe.billing.meterEvents.create({
    event_name: 'api_requests',
    payload: { stripe_customer_id: customer, value: String(requests) },
    timestamp: Math.floor(at.getTime() / 1000),
  }, { idempotencyKey: key })
}
