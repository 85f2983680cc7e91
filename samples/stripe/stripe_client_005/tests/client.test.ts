import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkStripe, createStripe } from '../expected/src/stripe.js'
import { type Answer, startStripe, type StripeApi } from '../support/stripe-api'

let api: StripeApi
let answers: Answer[] // in their order; then a balance in test mode

const balance = (livemode: boolean): Answer => ({ body: { object: 'balance', livemode, available: [], pending: [] } })
const failure = (status: number, type = 'api_error'): Answer => ({ status, body: { error: { type, message: `status ${status}` } } })

beforeEach(async () => {
  answers = []
  api = await startStripe(() => answers.shift() ?? balance(false))
})
afterEach(() => api.stop())

const environment = (more: Record<string, string | undefined> = {}) => ({
  STRIPE_SECRET_KEY: 'sk_test_123',
  STRIPE_API_BASE: `http://127.0.0.1:${api.connection.port}`,
  ...more,
})
const check = (more: Record<string, string | undefined> = {}) => checkStripe(createStripe(environment(more)))

test('the client asks the server that it is given, with the key', async () => {
  expect(await check()).toBe('test')
  expect(api.asked.map(({ line }) => line)).toEqual(['GET /v1/balance'])
  expect(api.asked[0].headers.authorization).toBe('Bearer sk_test_123')
})

test('blanks around the key are cut off', async () => {
  await check({ STRIPE_SECRET_KEY: ' rk_test_7\n' })
  expect(api.asked[0].headers.authorization).toBe('Bearer rk_test_7')
})

test('the client names itself', async () => {
  await check()
  expect(api.asked[0].headers['user-agent']).toContain('acme-shop/1.4.0')
})

test('no telemetry is sent', async () => {
  const stripe = createStripe(environment())
  await checkStripe(stripe)
  await checkStripe(stripe)
  expect(api.asked.map(({ headers }) => headers['x-stripe-client-telemetry'])).toEqual([undefined, undefined])
})

test('requests are for the connected account, if there is one', async () => {
  await check({ STRIPE_ACCOUNT: 'acct_1' })
  await check({ STRIPE_ACCOUNT: '' })
  await check()
  expect(api.asked.map(({ headers }) => headers['stripe-account'])).toEqual(['acct_1', undefined, undefined])
})

test('a failed request is sent again once', async () => {
  answers = [failure(503)]
  expect(await check()).toBe('test')
  expect(api.asked.length).toBe(2)
})

test('a failed request is not sent again if nobody wants that', async () => {
  answers = [failure(503)]
  await expect(check({ STRIPE_RETRIES: '0' })).rejects.toMatchObject({ statusCode: 503 })
  expect(api.asked.length).toBe(1)
})

test.each([[undefined], [''], ['  ']])('no key: %j', (STRIPE_SECRET_KEY) => {
  expect(() => createStripe(environment({ STRIPE_SECRET_KEY }))).toThrow('STRIPE_SECRET_KEY is not set.')
})

test.each([['pk_test_1'], ['whsec_1'], ['asdf']])('no secret key: %s', (STRIPE_SECRET_KEY) => {
  expect(() => createStripe(environment({ STRIPE_SECRET_KEY }))).toThrow('STRIPE_SECRET_KEY is no secret key.')
})

test.each([
  ['sk_live_1', undefined],
  ['rk_live_1', 'staging'],
])('a live key is for production only: %s', (STRIPE_SECRET_KEY, SHOP_ENV) => {
  const message = 'STRIPE_SECRET_KEY is a live key, but SHOP_ENV is not production.'
  expect(() => createStripe(environment({ STRIPE_SECRET_KEY, SHOP_ENV }))).toThrow(message)
})

test('production has a live key', async () => {
  answers = [balance(true)]
  expect(await check({ STRIPE_SECRET_KEY: 'sk_live_1', SHOP_ENV: 'production' })).toBe('live')
})

test.each([['6'], ['-1'], ['1.5'], ['many'], ['']])('no number of retries: %j', (STRIPE_RETRIES) => {
  expect(() => createStripe(environment({ STRIPE_RETRIES }))).toThrow('STRIPE_RETRIES must be a whole number from 0 to 5.')
})

test.each([['localhost:12111'], ['ftp://127.0.0.1'], ['http://']])('no address of a server: %s', (STRIPE_API_BASE) => {
  expect(() => createStripe(environment({ STRIPE_API_BASE }))).toThrow('STRIPE_API_BASE is no address of a server.')
})

test('a key that Stripe refuses is told', async () => {
  answers = [failure(401, 'invalid_request_error'), failure(403, 'invalid_request_error')]
  expect([await check(), await check()]).toEqual(['refused', 'refused'])
})

test('a server that is not there is told', async () => {
  const gone = environment({ STRIPE_RETRIES: '0' })
  await api.stop()
  expect(await checkStripe(createStripe(gone))).toBe('unreachable')
})
