export async function reportUsage(stripe, report) {
  const payload = { value: `${report.requests}`, stripe_customer_id: report.customer }
  const timestamp = Math.trunc(report.at / 1000)
  await stripe.billing.meterEvents.create({ event_name: 'api_requests', identifier: report.key, timestamp, payload })
}
