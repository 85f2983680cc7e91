import { afterEach, beforeEach, expect, test } from 'vitest'
import { aboutInvoice } from '../expected/src/invoices.js'
import { connect } from '../expected/src/stripe.js'
import { cancel, discount, paidUntil, previewChange } from '../expected/src/subscriptions.js'
import { reportUsage } from '../expected/src/usage.js'
import { startStripe, type StripeApi } from '../support/stripe-api'
import { Billing } from './billing'

let api: StripeApi
let billing: Billing

beforeEach(async () => {
  billing = new Billing()
  api = await startStripe((asked) => billing.answer(asked))
})
afterEach(() => api.stop())

const client = () => connect(api.connection)
const changes = () => api.asked.filter(({ line }) => !line.startsWith('GET')).map(({ line, fields }) => ({ line, fields }))

test('a subscription is cancelled at once', async () => {
  expect(await cancel(client(), 'sub_1', { now: true })).toEqual(new Date('2027-01-03T18:13:20Z'))
  expect(changes()).toEqual([{ line: 'DELETE /v1/subscriptions/sub_1', fields: {} }])
})

test('a subscription is cancelled with its period', async () => {
  expect(await cancel(client(), 'sub_1')).toEqual(new Date('2027-01-15T08:00:00Z'))
  expect(changes()).toEqual([{ line: 'POST /v1/subscriptions/sub_1', fields: { cancel_at_period_end: 'true' } }])
})

test('the end of the period is known', async () => {
  expect(await paidUntil(client(), 'sub_1')).toEqual(new Date('2027-01-15T08:00:00Z'))
  expect(changes()).toEqual([])
})

test('a discount is given', async () => {
  await discount(client(), 'sub_1', 'SPRING')
  expect(changes()).toEqual([{ line: 'POST /v1/subscriptions/sub_1', fields: { 'discounts[0][coupon]': 'SPRING' } }])
})

test('a discount that can not be given is thrown', async () => {
  billing.isDown = true
  await expect(discount(client(), 'sub_1', 'SPRING')).rejects.toMatchObject({ statusCode: 500 })
  await expect(cancel(client(), 'sub_1')).rejects.toMatchObject({ statusCode: 500 })
})

test('a change of price is previewed', async () => {
  expect(await previewChange(client(), 'sub_1', 'price_big')).toEqual({ amount: 1234, currency: 'eur' })
  const [{ line, fields }] = changes()
  expect(line).toBe('POST /v1/invoices/create_preview')
  expect(fields).toMatchObject({
    subscription: 'sub_1',
    'subscription_details[items][0][id]': 'si_1',
    'subscription_details[items][0][price]': 'price_big',
    'subscription_details[proration_behavior]': 'always_invoice',
  })
})

test('usage is reported to the meter', async () => {
  const at = new Date('2026-11-01T12:00:00.900Z')
  await reportUsage(client(), { customer: 'cus_1', item: 'si_1', requests: 250, at, key: 'report-7' })
  expect(changes()).toEqual([
    {
      line: 'POST /v1/billing/meter_events',
      fields: {
        event_name: 'api_requests',
        'payload[stripe_customer_id]': 'cus_1',
        'payload[value]': '250',
        identifier: 'report-7',
        timestamp: '1793534400',
      },
    },
  ])
})

test('usage that can not be reported is thrown', async () => {
  billing.isDown = true
  const report = { customer: 'cus_1', item: 'si_1', requests: 1, at: new Date(), key: 'report-8' }
  await expect(reportUsage(client(), report)).rejects.toMatchObject({ statusCode: 500 })
})

test('an invoice tells its subscription and payment', async () => {
  billing.invoice = { parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1', metadata: {} } } }
  billing.payments = [{ id: 'inpay_1', status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_1' } }]
  expect(await aboutInvoice(client(), 'in_1')).toEqual({ subscription: 'sub_1', payment: 'pi_1' })
})

test('only the payment that paid it counts', async () => {
  billing.payments = [
    { id: 'inpay_1', status: 'canceled', payment: { type: 'payment_intent', payment_intent: 'pi_1' } },
    { id: 'inpay_2', status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_2' } },
  ]
  expect(await aboutInvoice(client(), 'in_1')).toEqual({ subscription: null, payment: 'pi_2' })
})

test('an invoice that nobody paid has no payment', async () => {
  billing.payments = [{ id: 'inpay_1', status: 'open', payment: { type: 'payment_intent', payment_intent: 'pi_1' } }]
  billing.invoice = { parent: { type: 'quote_details', quote_details: { quote: 'qt_1' }, subscription_details: null } }
  expect(await aboutInvoice(client(), 'in_1')).toEqual({ subscription: null, payment: null })
})

test('an invoice of its own has neither', async () => {
  expect(await aboutInvoice(client(), 'in_1')).toEqual({ subscription: null, payment: null })
})
