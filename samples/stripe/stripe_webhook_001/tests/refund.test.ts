import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refundPayment } from '../expected/src/refund'
import { startStripe } from './stripe-server'

let server: Awaited<ReturnType<typeof startStripe>>
let answer: { status: number; body: object }

beforeEach(async () => {
  answer = { status: 200, body: { id: 're_1', object: 'refund', status: 'succeeded' } }
  server = await startStripe(() => answer)
})
afterEach(() => server.stop())

function client() {
  const options = { host: '127.0.0.1', port: server.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const
  return new Stripe('sk_test_123', options)
}

test('a refund is asked for with its payment and amount', async () => {
  expect(await refundPayment(client(), 'pi_1', 1250)).toEqual({ ok: true, refundId: 're_1' })
  expect(server.requests).toMatchObject([{ line: 'POST /v1/refunds', fields: { payment_intent: 'pi_1', amount: '1250' } }])
})

test('the idempotency key belongs to the payment and the amount', async () => {
  for (const [payment, cents] of [['pi_1', 500], ['pi_1', 500], ['pi_1', 700], ['pi_2', 500]] as const) {
    await refundPayment(client(), payment, cents)
  }
  const [first, again, otherAmount, otherPayment] = server.requests.map(({ key }) => key)
  expect(again).toBe(first)
  expect(new Set([first, otherAmount, otherPayment]).size).toBe(3)
})

test('a refusal of Stripe is returned, a broken connection is thrown', async () => {
  const message = 'Charge ch_1 has already been refunded.'
  answer = { status: 400, body: { error: { type: 'invalid_request_error', code: 'charge_already_refunded', message } } }
  expect(await refundPayment(client(), 'pi_1', 500)).toEqual({ ok: false, message })

  const stopped = client()
  await server.stop()
  await expect(refundPayment(stopped, 'pi_1', 500)).rejects.toThrow()
})
