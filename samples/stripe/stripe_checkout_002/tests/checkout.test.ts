import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCheckout } from '../expected/src/checkout.js'
import { connect } from '../expected/src/stripe.js'
import { type Answer, refusal, startStripe, type StripeApi } from '../support/stripe-api'

const SITE = 'https://shop.example.test'
let api: StripeApi
let answer: Answer

beforeEach(async () => {
  answer = { body: { id: 'cs_1', object: 'checkout.session', url: 'https://pay.example.test/cs_1', payment_status: 'unpaid' } }
  api = await startStripe(() => answer)
})
afterEach(() => api.stop())

function order(more: object = {}) {
  return { id: 'A-7', revision: 2, currency: 'EUR', lines: [{ price: 'price_mug', quantity: 3 }], email: 'ada@example.test', ...more }
}

function free(currency: string, ...amounts: string[]) {
  return order({ currency, lines: amounts.map((amount) => ({ name: 'Gift', amount, quantity: 1 })) })
}

const start = (one: object) => startCheckout(connect(api.connection), one as never, SITE)

/** Fields of the last request whose names begin like this. */
function sent(prefix: string) {
  const fields = Object.entries(api.asked.at(-1)?.fields ?? {})
  return Object.fromEntries(fields.filter(([name]) => name.startsWith(prefix)))
}

test('the session is made, and its id and address are told', async () => {
  expect(await start(order())).toEqual({ id: 'cs_1', url: 'https://pay.example.test/cs_1' })
  expect(api.asked.map(({ line }) => line)).toEqual(['POST /v1/checkout/sessions'])
  expect(sent('mode')).toEqual({ mode: 'payment' })
})

test('a catalogue line is bought at its price', async () => {
  await start(order())
  expect(sent('line_items')).toEqual({ 'line_items[0][price]': 'price_mug', 'line_items[0][quantity]': '3' })
})

test('any other line brings its name and amount', async () => {
  await start(order({ lines: [{ name: 'Engraving', amount: '4.50', quantity: 2 }] }))
  expect(sent('line_items')).toEqual({
    'line_items[0][quantity]': '2',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][product_data][name]': 'Engraving',
    'line_items[0][price_data][unit_amount]': '450',
  })
})

test('amounts are exact in the smallest unit', async () => {
  await start(free('usd', '19.99', '1.1', '4.35', '12', '0.07'))
  const amounts = Object.entries(sent('line_items')).filter(([name]) => name.endsWith('[unit_amount]'))
  expect(amounts.map(([, value]) => value)).toEqual(['1999', '110', '435', '1200', '7'])
})

test('a currency without a smaller unit is not multiplied', async () => {
  await start(free('JPY', '500'))
  expect(sent('line_items[0][price_data][unit_amount]')).toEqual({ 'line_items[0][price_data][unit_amount]': '500' })
  await start(free('krw', '1200'))
  expect(sent('line_items[0][price_data][unit_amount]')).toEqual({ 'line_items[0][price_data][unit_amount]': '1200' })
})

test.each([
  ['three decimals', 'EUR', '1.999'],
  ['decimals of a yen', 'JPY', '5.5'],
  ['a comma', 'EUR', '1,50'],
  ['a sign', 'EUR', '-3'],
  ['an exponent', 'EUR', '1e3'],
  ['no digits', 'EUR', ''],
])('%s: refused before Stripe is asked', async (_, currency, amount) => {
  await expect(start(free(currency, amount))).rejects.toThrow(RangeError)
  expect(api.asked).toEqual([])
})

test('lines of quantity zero are left out', async () => {
  await start(order({ lines: [{ price: 'price_cup', quantity: 0 }, { price: 'price_mug', quantity: 1 }] }))
  expect(sent('line_items')).toEqual({ 'line_items[0][price]': 'price_mug', 'line_items[0][quantity]': '1' })
})

test('an order without lines is refused', async () => {
  await expect(start(order({ lines: [{ price: 'price_cup', quantity: 0 }] }))).rejects.toThrow(RangeError)
  expect(api.asked).toEqual([])
})

test('the order can be found again from session and payment', async () => {
  await start(order({ id: 'B/8 ü' }))
  expect(sent('client_reference_id')).toEqual({ client_reference_id: 'B/8 ü' })
  expect(sent('metadata')).toEqual({ 'metadata[order_id]': 'B/8 ü' })
  expect(sent('payment_intent_data')).toEqual({ 'payment_intent_data[metadata][order_id]': 'B/8 ü' })
})

test('customers come back to their order', async () => {
  await start(order({ id: 'B/8' }))
  expect(sent('success_url')).toEqual({ success_url: 'https://shop.example.test/orders/B%2F8/thanks?session={CHECKOUT_SESSION_ID}' })
  expect(sent('cancel_url')).toEqual({ cancel_url: 'https://shop.example.test/orders/B%2F8' })
})

test('a customer is named by id or else by address', async () => {
  await start(order({ customer: 'cus_1' }))
  expect(sent('customer')).toEqual({ customer: 'cus_1' })
  await start(order())
  expect(sent('customer')).toEqual({ customer_email: 'ada@example.test' })
})

test('a coupon takes the place of promotion codes', async () => {
  await start(order({ coupon: 'SPRING' }))
  expect({ ...sent('discounts'), ...sent('allow') }).toEqual({ 'discounts[0][coupon]': 'SPRING' })
  await start(order())
  expect({ ...sent('discounts'), ...sent('allow') }).toEqual({ allow_promotion_codes: 'true' })
})

test('the idempotency key belongs to the revision of the order', async () => {
  await start(order())
  await start(order({ revision: 3 }))
  expect(api.asked.map(({ key }) => key)).toEqual(['checkout:A-7:2', 'checkout:A-7:3'])
})

test('a refusal of Stripe reaches the caller', async () => {
  answer = refusal('No such price: price_mug', { code: 'resource_missing' })
  await expect(start(order())).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing' })
})
