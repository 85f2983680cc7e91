import { afterEach, beforeEach, expect, test } from 'vitest'
import { renew, renewAll } from '../expected/src/renewals.js'
import { connect } from '../expected/src/stripe.js'
import { type Answer, cardError, refusal, startStripe, type StripeApi } from '../support/stripe-api'

let api: StripeApi
let answers: Record<string, Answer> // by customer

const paid: Answer = { body: { id: 'pi_1', object: 'payment_intent', status: 'succeeded' } }

beforeEach(async () => {
  answers = {}
  api = await startStripe(({ fields }) => answers[fields.customer] ?? paid)
})
afterEach(() => api.stop())

function renewal(customer: string, more: object = {}) {
  const [id, paymentMethod] = [`r-${customer}`, `pm_${customer}`]
  return { id, attempt: 1, customer, paymentMethod, amount: 990, currency: 'eur', ...more }
}

const renewed = (more: object = {}) => renew(connect(api.connection), renewal('cus_1', more))
const all = (...customers: string[]) => renewAll(connect(api.connection), customers.map((customer) => renewal(customer)))

test('a saved card is charged off session', async () => {
  expect(await renewed()).toEqual({ status: 'paid', payment: 'pi_1' })
  expect(api.asked.map(({ line }) => line)).toEqual(['POST /v1/payment_intents'])
  expect(api.asked[0].fields).toEqual({
    amount: '990',
    currency: 'eur',
    customer: 'cus_1',
    payment_method: 'pm_cus_1',
    confirm: 'true',
    off_session: 'true',
    'metadata[renewal]': 'r-cus_1',
  })
})

test('a payment on its way is pending', async () => {
  answers.cus_1 = { body: { id: 'pi_2', object: 'payment_intent', status: 'processing' } }
  expect(await renewed()).toEqual({ status: 'pending', payment: 'pi_2' })
})

test('each attempt has a key of its own, the same one if it is repeated', async () => {
  await renewed()
  await renewed()
  await renewed({ attempt: 2 })
  expect(api.asked.map(({ key }) => key)).toEqual(['renewal:r-cus_1:1', 'renewal:r-cus_1:1', 'renewal:r-cus_1:2'])
})

test('a bank that wants to see the customer is told with the way to go on', async () => {
  const payment_intent = { id: 'pi_3', object: 'payment_intent', client_secret: 'pi_3_secret_x', status: 'requires_payment_method' }
  answers.cus_1 = cardError('authentication_required', { decline_code: 'authentication_required', payment_intent })
  expect(await renewed()).toEqual({ status: 'action_needed', payment: 'pi_3', clientSecret: 'pi_3_secret_x' })
})

test('a decline is told with its reason', async () => {
  answers.cus_1 = cardError('card_declined', { decline_code: 'insufficient_funds' })
  expect(await renewed()).toEqual({ status: 'declined', reason: 'insufficient_funds', final: false })
})

test('a refused card without a decline code is told with the code', async () => {
  answers.cus_1 = cardError('expired_card')
  expect(await renewed()).toEqual({ status: 'declined', reason: 'expired_card', final: true })
})

test.each([['lost_card'], ['pickup_card'], ['stolen_card']])('%s is final', async (decline_code) => {
  answers.cus_1 = cardError('card_declined', { decline_code })
  expect(await renewed()).toEqual({ status: 'declined', reason: decline_code, final: true })
})

test('what is wrong with the request is thrown', async () => {
  answers.cus_1 = refusal('No such customer: cus_1', { code: 'resource_missing' })
  await expect(renewed()).rejects.toMatchObject({ type: 'StripeInvalidRequestError', code: 'resource_missing' })
})

test('all are renewed in their order, also after a decline', async () => {
  answers.cus_2 = cardError('card_declined', { decline_code: 'do_not_honor' })
  expect(await all('cus_1', 'cus_2', 'cus_3')).toEqual({
    results: [
      { id: 'r-cus_1', status: 'paid', payment: 'pi_1' },
      { id: 'r-cus_2', status: 'declined', reason: 'do_not_honor', final: false },
      { id: 'r-cus_3', status: 'paid', payment: 'pi_1' },
    ],
    left: [],
    stopped: null,
  })
  expect(api.asked.map(({ fields }) => fields.customer)).toEqual(['cus_1', 'cus_2', 'cus_3'])
})

test('an invalid request fails alone', async () => {
  answers.cus_1 = refusal('No such customer: cus_1')
  expect(await all('cus_1', 'cus_2')).toEqual({
    results: [
      { id: 'r-cus_1', status: 'failed', message: 'No such customer: cus_1' },
      { id: 'r-cus_2', status: 'paid', payment: 'pi_1' },
    ],
    left: [],
    stopped: null,
  })
})

test.each([
  ['a revoked key', 401, 'Invalid API Key provided'],
  ['a limit', 429, 'Too many requests'],
  ['an error of Stripe', 500, 'Something went wrong'],
])('%s stops the run', async (_, status, message) => {
  answers.cus_2 = { status, body: { error: { type: 'api_error', message } } }
  expect(await all('cus_1', 'cus_2', 'cus_3')).toEqual({
    results: [{ id: 'r-cus_1', status: 'paid', payment: 'pi_1' }],
    left: ['r-cus_2', 'r-cus_3'],
    stopped: message,
  })
  expect(api.asked.map(({ fields }) => fields.customer)).toEqual(['cus_1', 'cus_2'])
})
