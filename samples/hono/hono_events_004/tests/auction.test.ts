import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../expected/src/app'
import { Listener } from './listener'

let app: ReturnType<typeof createApp>
beforeEach(() => {
  app = createApp()
})

async function post(path: string, body?: unknown): Promise<[number, unknown]> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await app.request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
  return [response.status, response.status === 204 ? undefined : await response.json()]
}

const bid = (bidder: string, amount: unknown) => post('/bids', { bidder, amount })
const stats = async () => (await app.request('/stats')).json()
const event = (id: string, bidder: string, amount: number) => ({ event: 'bid', id, data: { bidder, amount } })
const end = (winner: string | null) => ({ event: 'end', data: { winner } })

async function listen(last?: string): Promise<Listener> {
  return new Listener(await app.request('/bids/stream', { headers: last === undefined ? {} : { 'last-event-id': last } }))
}

test('bids are counted', async () => {
  expect(await bid('ada', 10)).toEqual([201, { id: 1, bidder: 'ada', amount: 10 }])
  expect(await bid('bob', 11)).toEqual([201, { id: 2, bidder: 'bob', amount: 11 }])
})

test('a bid must be above the highest one', async () => {
  await bid('ada', 10)
  expect(await bid('bob', 10)).toEqual([409, { error: 'too low' }])
  expect(await bid('bob', 9)).toEqual([409, { error: 'too low' }])
  expect(await stats()).toEqual({ bids: 1, listeners: 0 })
})

test.each([
  ['no JSON', 'bidder=ada'],
  ['null', 'null'],
  ['no bidder', { amount: 3 }],
  ['an empty bidder', { bidder: '', amount: 3 }],
  ['a bidder that is no text', { bidder: 7, amount: 3 }],
  ['nothing to pay', { bidder: 'ada', amount: 0 }],
  ['half an amount', { bidder: 'ada', amount: 2.5 }],
  ['an amount as text', { bidder: 'ada', amount: '3' }],
])('a bid is malformed: %s', async (_, body) => {
  expect(await post('/bids', body)).toEqual([400, { error: 'malformed' }])
})

test('the smallest bid is one', async () => {
  expect((await bid('ada', 1))[0]).toBe(201)
})

test('the stream is one of server-sent events', async () => {
  const listener = await listen()
  expect(listener.response.status).toBe(200)
  expect(listener.response.headers.get('content-type')).toContain('text/event-stream')
  await listener.leave()
})

test('bids come as they are made', async () => {
  const listener = await listen()
  await bid('ada', 10)
  expect(await listener.next()).toEqual(event('1', 'ada', 10))
  await bid('bob', 20)
  await bid('eve', 30)
  expect(await listener.take(2)).toEqual([event('2', 'bob', 20), event('3', 'eve', 30)])
  await listener.leave()
})

test('every listener gets every bid', async () => {
  const [one, other] = [await listen(), await listen()]
  await bid('ada', 10)
  await bid('bob', 20)
  expect(await other.take(2)).toEqual([event('1', 'ada', 10), event('2', 'bob', 20)])
  expect(await one.take(2)).toEqual([event('1', 'ada', 10), event('2', 'bob', 20)])
  await Promise.all([one.leave(), other.leave()])
})

test('who comes late begins with the highest bid', async () => {
  await bid('ada', 10)
  await bid('bob', 20)
  const listener = await listen()
  await bid('eve', 30)
  expect(await listener.take(2)).toEqual([event('2', 'bob', 20), event('3', 'eve', 30)])
  await listener.leave()
})

test('who comes back gets what was missed', async () => {
  for (const amount of [10, 20, 30]) await bid('ada', amount)
  const listener = await listen('1')
  await bid('bob', 40)
  expect(await listener.take(3)).toEqual([event('2', 'ada', 20), event('3', 'ada', 30), event('4', 'bob', 40)])
  await listener.leave()
})

test('who had everything gets what is new', async () => {
  await bid('ada', 10)
  const listener = await listen('1')
  await bid('bob', 20)
  expect(await listener.next()).toEqual(event('2', 'bob', 20))
  await listener.leave()
})

test('who had nothing gets all', async () => {
  for (const amount of [10, 20]) await bid('ada', amount)
  const listener = await listen('0')
  expect(await listener.take(2)).toEqual([event('1', 'ada', 10), event('2', 'ada', 20)])
  await listener.leave()
})

test('the id of the last event must be a number', async () => {
  for (const last of ['one', '-1', '1.5']) {
    const response = await app.request('/bids/stream', { headers: { 'last-event-id': last } })
    expect([response.status, await response.json()]).toEqual([400, { error: 'malformed' }])
  }
  expect(await stats()).toEqual({ bids: 0, listeners: 0 })
})

test('the end is told to all, and ends the streams', async () => {
  const [one, other] = [await listen(), await listen()]
  await bid('ada', 10)
  await bid('bob', 20)
  expect(await post('/close')).toEqual([204, undefined])
  expect(await one.take(4)).toEqual([event('1', 'ada', 10), event('2', 'bob', 20), end('bob'), null])
  expect(await other.take(4)).toEqual([event('1', 'ada', 10), event('2', 'bob', 20), end('bob'), null])
  expect(await stats()).toEqual({ bids: 2, listeners: 0 })
})

test('an auction without bids has no winner', async () => {
  const listener = await listen()
  expect([await post('/close'), await post('/close')]).toEqual([[204, undefined], [204, undefined]])
  expect(await listener.take(2)).toEqual([end(null), null])
})

test('who comes after the end gets what was missed, and the end', async () => {
  for (const amount of [10, 20, 30]) await bid('ada', amount)
  await post('/close')
  expect(await (await listen('1')).take(4)).toEqual([event('2', 'ada', 20), event('3', 'ada', 30), end('ada'), null])
  expect(await (await listen()).take(3)).toEqual([event('3', 'ada', 30), end('ada'), null])
})

test('nobody bids after the end', async () => {
  await bid('ada', 10)
  await post('/close')
  expect(await bid('bob', 20)).toEqual([410, { error: 'closed' }])
  expect(await stats()).toEqual({ bids: 1, listeners: 0 })
})

test('listeners count while they listen', async () => {
  const [one, other] = [await listen(), await listen()]
  expect(await stats()).toEqual({ bids: 0, listeners: 2 })
  await one.leave()
  expect(await stats()).toEqual({ bids: 0, listeners: 1 })
  await bid('ada', 10)
  expect(await other.next()).toEqual(event('1', 'ada', 10))
  await other.leave()
  expect(await stats()).toEqual({ bids: 1, listeners: 0 })
})
