import Stripe from 'stripe'
import { beforeEach, expect, test } from 'vitest'
import { createWebhookHandler } from '../expected/src/webhook'
import { delivery } from './stripe-server'

const SECRET = 'whsec_for_the_tests'
let fulfilled: string[]
let failures: number
let handle: (request: Request) => Promise<Response>

beforeEach(() => {
  fulfilled = []
  failures = 0
  handle = createWebhookHandler(new Stripe('sk_test_123'), SECRET, async (sessionId) => {
    if (failures > 0) {
      failures -= 1
      throw new Error('the warehouse is closed')
    }
    fulfilled.push(sessionId)
  })
})

function sessionEvent(id: string, type: string, paymentStatus = 'paid') {
  const session = { id: `cs_${id}`, object: 'checkout.session', payment_status: paymentStatus }
  return { id: `evt_${id}`, object: 'event', type, data: { object: session } }
}

test('a paid session is fulfilled, other events are accepted and ignored', async () => {
  for (const [id, type] of [['a', 'checkout.session.completed'], ['b', 'checkout.session.expired']] as const) {
    expect((await handle(delivery(sessionEvent(id, type), SECRET))).status).toBe(200)
  }
  expect(fulfilled).toEqual(['cs_a'])
})

test('a session with a delayed payment is fulfilled when the payment arrives', async () => {
  await handle(delivery(sessionEvent('b1', 'checkout.session.completed', 'unpaid'), SECRET))
  expect(fulfilled).toEqual([])
  await handle(delivery(sessionEvent('b2', 'checkout.session.async_payment_succeeded'), SECRET))
  expect(fulfilled).toEqual(['cs_b2'])
})

test('missing, wrong and outdated signatures are refused', async () => {
  const event = sessionEvent('d', 'checkout.session.completed')
  const unsigned = new Request('https://shop.example.test/webhook', { method: 'POST', body: JSON.stringify(event) })
  const tampered = delivery(event, SECRET)
  const changed = new Request(tampered.url, { method: 'POST', headers: tampered.headers, body: JSON.stringify({ ...event, id: 'evt_x' }, null, 2) })
  for (const request of [unsigned, changed, delivery(event, 'whsec_other'), delivery(event, SECRET, 900)]) {
    expect((await handle(request)).status).toBe(400)
  }
  expect(fulfilled).toEqual([])
})

test('an event delivered twice is fulfilled once', async () => {
  const event = sessionEvent('e', 'checkout.session.completed')
  expect((await handle(delivery(event, SECRET))).status).toBe(200)
  expect((await handle(delivery(event, SECRET))).status).toBe(200)
  expect(fulfilled).toEqual(['cs_e'])
})

test('a failed fulfilment is reported and made good by the next delivery', async () => {
  failures = 1
  const event = sessionEvent('f', 'checkout.session.completed')
  expect((await handle(delivery(event, SECRET))).status).toBe(500)
  expect((await handle(delivery(event, SECRET))).status).toBe(200)
  expect(fulfilled).toEqual(['cs_f'])
})
