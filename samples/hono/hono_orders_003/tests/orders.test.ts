import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../expected/src/app'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ID = 'request-0001'
const mug = { sku: 'MUG-0007', quantity: 2 }
let app: ReturnType<typeof createApp>
let reports: [string, string][]

beforeEach(() => {
  reports = []
  const report = (requestId: string, error: unknown) => {
    reports.push([requestId, (error as Error).message])
  }
  app = createApp({ keys: { 'key-of-ada': 'ada', 'key-of-bob': 'bob' }, report })
})

function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const given = { authorization: 'Bearer key-of-ada', 'x-request-id': ID, 'content-type': 'application/json', ...headers }
  return app.request(path, { method, headers: given, body: text })
}

async function told(asked: Response | Promise<Response>): Promise<[number, any]> {
  const response = await asked
  return [response.status, await response.json()]
}

const BOB = { authorization: 'Bearer key-of-bob' }
const order = (...lines: unknown[]) => ask('POST', '/v1/orders', { lines })

async function problem(asked: Response | Promise<Response>) {
  const [status, { code, detail, request_id: id, ...others }] = await told(asked)
  expect([id, others]).toEqual([ID, {}])
  return [status, code, detail]
}

test('an order is made, and can be read', async () => {
  const response = await order(mug, { sku: 'CUP-1000', quantity: 999 })
  const made = { id: 'o1', client: 'ada', lines: [mug, { sku: 'CUP-1000', quantity: 999 }], state: 'open' }
  expect(response.headers.get('location')).toBe('/v1/orders/o1')
  expect(await told(response)).toEqual([201, made])
  expect(await told(ask('GET', '/v1/orders/o1'))).toEqual([200, made])
})

test('orders are counted', async () => {
  await order(mug)
  expect((await told(order(mug)))[1].id).toBe('o2')
})

test.each([
  ['a number', 7, 'lines'],
  ['a list', [mug], 'lines'],
  ['no lines', {}, 'lines'],
  ['an empty list', { lines: [] }, 'lines'],
  ['51 lines', { lines: Array.from({ length: 51 }, (_, n) => ({ sku: `MUG-${1000 + n}`, quantity: 1 })) }, 'lines'],
  ['a line that is none', { lines: [mug, null] }, 'lines.1'],
  ['no sku', { lines: [{ quantity: 1 }] }, 'lines.0.sku'],
  ['a sku in small letters', { lines: [{ sku: 'mug-0007', quantity: 1 }] }, 'lines.0.sku'],
  ['a sku with more to it', { lines: [{ sku: 'MUG-00071', quantity: 0 }] }, 'lines.0.sku'],
  ['a sku given twice', { lines: [mug, { sku: 'CUP-1000', quantity: 1 }, mug] }, 'lines.2.sku'],
  ['no quantity', { lines: [{ sku: 'CUP-1000', color: 'red' }] }, 'lines.0.quantity'],
  ['a quantity of 0', { lines: [mug, { sku: 'CUP-1000', quantity: 0 }] }, 'lines.1.quantity'],
  ['a quantity of 1000', { lines: [{ sku: 'CUP-1000', quantity: 1000 }] }, 'lines.0.quantity'],
  ['half a quantity', { lines: [{ sku: 'CUP-1000', quantity: 1.5 }] }, 'lines.0.quantity'],
  ['a quantity as text', { lines: [{ sku: 'CUP-1000', quantity: '1' }] }, 'lines.0.quantity'],
  ['another key in a line', { lines: [{ ...mug, color: 'red' }] }, 'lines.0.color'],
  ['another key', { lines: [mug], color: 'red' }, 'color'],
])('an order is invalid: %s', async (_, body, path) => {
  const [status, code, detail] = await problem(ask('POST', '/v1/orders', body))
  expect([status, code, detail.split(/[ :]/)[0]]).toEqual([422, 'invalid', path])
  expect((await told(ask('GET', '/v1/orders')))[1]).toEqual({ orders: [] })
})

test('as many lines as there may be are accepted', async () => {
  const lines = Array.from({ length: 50 }, (_, n) => ({ sku: `MUG-${1000 + n}`, quantity: 1 }))
  expect((await told(order(...lines)))[0]).toBe(201)
})

test('what is no JSON is malformed', async () => {
  for (const body of ['{', '', 'lines=1']) expect((await problem(ask('POST', '/v1/orders', body))).slice(0, 2)).toEqual([400, 'malformed'])
})

test('a large body is refused, one of the limit is read', async () => {
  const padded = (length: number) => JSON.stringify({ lines: [mug] }).padEnd(length)
  expect((await problem(ask('POST', '/v1/orders', padded(10_241)))).slice(0, 2)).toEqual([413, 'too_large'])
  expect((await told(ask('POST', '/v1/orders', padded(10_240))))[0]).toBe(201)
})

test('everybody sees their own orders only', async () => {
  await order(mug)
  await ask('POST', '/v1/orders', { lines: [mug] }, BOB)
  const [, { orders }] = await told(ask('GET', '/v1/orders', undefined, BOB))
  expect(orders).toEqual([{ id: 'o2', client: 'bob', lines: [mug], state: 'open' }])
  expect((await problem(ask('GET', '/v1/orders/o1', undefined, BOB))).slice(0, 2)).toEqual([404, 'not_found'])
})

test('nobody ships what is not theirs', async () => {
  await order(mug)
  expect((await problem(ask('POST', '/v1/orders/o1/ship', undefined, BOB))).slice(0, 2)).toEqual([404, 'not_found'])
  expect((await told(ask('GET', '/v1/orders/o1')))[1].state).toBe('open')
})

test.each([
  ['ship', 'shipped'],
  ['cancel', 'cancelled'],
])('an open order is closed once: %s', async (action, state) => {
  await order(mug)
  expect(await told(ask('POST', `/v1/orders/o1/${action}`))).toEqual([200, { id: 'o1', client: 'ada', lines: [mug], state }])
  expect((await problem(ask('POST', '/v1/orders/o1/cancel'))).slice(0, 2)).toEqual([409, 'not_open'])
  expect((await told(ask('GET', '/v1/orders/o1')))[1].state).toBe(state)
})

test('orders are listed by their state', async () => {
  for (let count = 0; count < 3; count += 1) await order(mug)
  await ask('POST', '/v1/orders/o2/ship')
  await ask('POST', '/v1/orders/o3/cancel')
  const ids = async (query: string) => (await told(ask('GET', `/v1/orders${query}`)))[1].orders.map(({ id }: { id: string }) => id)
  expect([await ids(''), await ids('?state=open'), await ids('?state=shipped'), await ids('?state=cancelled')]).toEqual([
    ['o1', 'o2', 'o3'],
    ['o1'],
    ['o2'],
    ['o3'],
  ])
})

test('an unknown state is invalid', async () => {
  const [status, code, detail] = await problem(ask('GET', '/v1/orders?state=lost'))
  expect([status, code, detail.split(/[ :]/)[0]]).toEqual([422, 'invalid', 'state'])
})

test.each([
  ['no key', ''],
  ['another key', 'Bearer key-of-eve'],
  ['another way', 'Basic key-of-ada'],
  ['an inherited name', 'Bearer constructor'],
])('unauthorized: %s', async (_, authorization) => {
  const response = await ask('GET', '/v1/orders', undefined, { authorization })
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  expect((await problem(response)).slice(0, 2)).toEqual([401, 'unauthorized'])
})

test('all of /v1 wants a key', async () => {
  expect((await problem(ask('GET', '/v1/nothing', undefined, { authorization: '' }))).slice(0, 2)).toEqual([401, 'unauthorized'])
  expect((await problem(ask('GET', '/v1/nothing'))).slice(0, 2)).toEqual([404, 'not_found'])
})

test('health is for everybody', async () => {
  expect(await told(app.request('/health'))).toEqual([200, { status: 'ok' }])
})

test('the id of a request comes back', async () => {
  const longest = 'A'.repeat(60) + '-b3c'
  const answers = [ask('GET', '/health'), order(mug), ask('GET', '/nothing'), ask('GET', '/health', undefined, { 'x-request-id': longest })]
  const ids = (await Promise.all(answers)).map(({ headers }) => headers.get('x-request-id'))
  expect(ids).toEqual([ID, ID, ID, longest])
})

test.each([['short-7'], ['A'.repeat(65)], ['with blanks in it'], ['with_underscores']])('a request without a good id gets one: %s', async (id) => {
  const response = await app.request('/nothing', { headers: { 'x-request-id': id } })
  const [, { request_id }] = await told(response)
  expect(request_id).toMatch(UUID)
  expect(response.headers.get('x-request-id')).toBe(request_id)
})

test('no two requests get the same id', async () => {
  const [one, other] = [await app.request('/health'), await app.request('/health')]
  expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'))
})

test('an unexpected error is reported, and not told', async () => {
  app.get('/broken', () => {
    throw new Error('the shelf fell down')
  })
  const response = await ask('GET', '/broken')
  expect(response.headers.get('x-request-id')).toBe(ID)
  expect(await problem(response)).toEqual([500, 'internal', 'Something went wrong.'])
  expect(reports).toEqual([[ID, 'the shelf fell down']])
})

test('expected errors are not reported', async () => {
  for (const path of ['/nothing', '/v1/orders/o9']) expect((await problem(ask('GET', path))).slice(0, 2)).toEqual([404, 'not_found'])
  expect(reports).toEqual([])
})
