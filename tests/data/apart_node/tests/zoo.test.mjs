import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { mock, test } from 'node:test'
import same, * as zoo from '../expected/src/zoo.js'

const calls = (fn) => fn.mock.calls.map((call) => call.arguments ?? call)

test('scalars, dates, collections and bytes are what they are', () => {
  const given = zoo.kinds()
  assert.deepEqual(given, {
    nothing: undefined, none: null, nan: NaN, infinite: -Infinity, zero: -0, big: 12345678901234567890n,
    date: new Date(86_400_000), map: new Map([['a', { deep: [1] }]]), set: new Set([1, 'b']), pattern: /a+/giu,
    url: new URL('https://example.test/a?b=c'), query: new URLSearchParams('a=1&a=2'), bytes: new Uint8Array([1, 2, 255]),
    buffer: Buffer.from('text'), doubles: new Float64Array([0.5]), symbol: Symbol.for('shared'), holes: [1, , 3],
  }) // prettier-ignore
  assert.deepEqual(same(given.bytes), given.bytes)
})

test('keys cross', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signature = zoo.signed('text', privateKey)
  assert.ok(verify('sha256', Buffer.from('text'), publicKey, signature))
  assert.ok(same({ publicKey }).publicKey.equals(publicKey))
})

test('a value that was passed comes back as the same', () => {
  const value = { list: [1, { deep: true }] }
  assert.equal(same(value), value)
  assert.equal(same(value.list), value.list)
  const callback = () => 1
  assert.equal(same(callback), callback)
  const store = new zoo.Store()
  assert.equal(same(store), store)
})

test('exports are constants, or variables', () => {
  assert.deepEqual(zoo.LIMITS, { most: 3, names: ['a', 'b'] })
  assert.ok(Object.isFrozen(zoo.LIMITS))
  assert.equal(zoo.increment(), 1)
  assert.equal(zoo.count, 1)
})

test('instances are used by their methods, getters, fields and statics', async () => {
  const store = new zoo.Store({ a: 1 })
  assert.ok(store instanceof zoo.Store)
  assert.equal(store.set('b', { c: [2] }), store)
  assert.deepEqual(store.get('b'), { c: [2] })
  assert.equal(store.size, 2)
  assert.equal(store.first, 'a')
  assert.equal(`${store}`, 'Store(a,b)')
  assert.deepEqual([...store], [['a', 1], ['b', { c: [2] }]])
  assert.equal(await store.find('a'), 1)
  const before = zoo.Store.made
  assert.equal(zoo.Store.of({ x: 1 }).size, 1)
  assert.equal(zoo.Store.made, before + 1)
})

test('instances are compared by their fields', () => {
  const point = zoo.middle({ x: 0, y: 0 }, new zoo.Point(2, 4))
  assert.deepEqual({ ...point }, { x: 1, y: 2 })
  assert.deepEqual([zoo.middle(point, point), point].map((one) => ({ ...one })), [{ x: 1, y: 2 }, { x: 1, y: 2 }])
  assert.equal(JSON.stringify(point), '{"x":1,"y":2}')
  point.x = 7
  assert.equal(point.x, 7)
  assert.ok('x' in point && !('z' in point))
})

test('errors keep class, message, fields and cause', async () => {
  const store = new zoo.Store()
  const check = (error) => {
    assert.ok(error instanceof zoo.NotFound && error instanceof RangeError)
    assert.ok(!(error instanceof zoo.Gone))
    assert.deepEqual([error.name, error.message, error.key, error.status, error.cause.message], ['NotFound', 'no x', 'x', 404, 'the cause'])
    return true
  }
  assert.throws(() => store.get('x'), check)
  await assert.rejects(store.find('x'), check)
  assert.throws(() => store.get('x'), { name: 'NotFound', key: 'x' })
  assert.ok(zoo.nested() instanceof zoo.NotFound)
  assert.equal(zoo.joined().errors[0].message, 'one')
  assert.equal(new zoo.Gone('made here').key, 'made here')
})

test('iterators give one value after the other', async () => {
  const seen = []
  for await (const { page } of zoo.pages(3)) seen.push(page)
  assert.deepEqual(seen, [1, 2, 3])
  const numbers = zoo.numbers()
  assert.equal(numbers.next().value, 1)
  assert.equal(numbers.next(21).value, 42)
  assert.equal(numbers.next().done, true)
})

test('changes of a shared value are seen on both sides', () => {
  const list = ['b', 'a']
  zoo.sortInPlace(list)
  assert.deepEqual(list, ['a', 'b'])
  const item = { n: 1 }
  zoo.keepIt(item)
  item.n = 2
  assert.deepEqual(zoo.kept(), [{ n: 2 }])
  assert.deepEqual(zoo.keep, [{ n: 2 }])
})

test('callbacks are called with values, in the order of the calls', async () => {
  const callback = mock.fn(async (item, index) => ({ item, index }))
  assert.deepEqual(await zoo.visit(['x', { y: 1 }], callback), [{ item: 'x', index: 0 }, { item: { y: 1 }, index: 1 }])
  assert.deepEqual(calls(callback), [['x', 0], [{ y: 1 }, 1]])
  assert.equal(zoo.callNow((word) => word.toUpperCase()), 'NOW')
  assert.equal(zoo.callNow(() => { throw new SyntaxError('from the test') }), 'SyntaxError: from the test')
  assert.equal(zoo.callNow(() => zoo.callNow((word) => `inner ${word}`)), 'inner now')
  assert.equal(zoo.adder(2)(3), 5)
})

test('objects of the tests are used as they are', () => {
  class Clock {
    offset = 1
    now() {
      return 41 + this.offset - 1
    }
  }
  assert.equal(zoo.useClock(new Clock()), 42)
  assert.equal(zoo.useClock({ offset: 2, now() { return this.offset } }), 4)
})

test('the environment, fetch and console of the tests count', async () => {
  const log = console.log
  const lines = []
  console.log = (...words) => lines.push(words)
  zoo.say('hello', { to: 'all' })
  console.log = log
  zoo.say('not to us')
  assert.deepEqual(lines, [['hello', { to: 'all' }]])
  process.env.ZOO_NAME = 'ada'
  assert.equal(zoo.fromEnvironment(), 'ada')
  delete process.env.ZOO_NAME
  assert.equal(zoo.fromEnvironment(), 'nobody')
  const real = globalThis.fetch
  globalThis.fetch = mock.fn(async (url, { headers }) => new Response(`${url} ${headers.accept}`))
  assert.equal(await zoo.fetched('https://api.example.test/'), 'https://api.example.test/ text/plain')
  assert.equal(calls(globalThis.fetch).length, 1)
  globalThis.fetch = real
})

test('requests, responses and forms cross with their bodies', async () => {
  const request = new Request('https://example.test/x', { method: 'POST', body: 'hello', headers: { 'x-kind': 'k' } })
  const response = await zoo.handler(request)
  assert.ok(response instanceof Response)
  assert.deepEqual([response.status, response.headers.get('x-made')], [201, 'yes'])
  assert.deepEqual(await response.json(), { method: 'POST', body: 'hello', kind: 'k' })
  const form = new FormData()
  form.append('a', '1')
  assert.deepEqual(zoo.fields(form), [['a', '1']])
})

test('a body that nobody reads on is left', async () => {
  const { response, state } = zoo.feed()
  const reader = response.body.getReader()
  assert.equal(new TextDecoder().decode((await reader.read()).value), 'one more ')
  assert.equal(state(), 'open')
  await reader.cancel()
  assert.equal(state(), 'left')
})

test('each side reaches the servers of the other', async () => {
  const server = createServer((incoming, outgoing) => outgoing.end(`accepts ${incoming.headers.accept}`))
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  assert.equal(await zoo.fetched(`http://127.0.0.1:${server.address().port}/`), 'accepts text/plain')
  await new Promise((end) => server.close(end).closeAllConnections())
  const { port, stop } = await zoo.serve()
  const answer = await fetch(`http://127.0.0.1:${port}/page`, { headers: { connection: 'close' } })
  assert.equal(await answer.text(), 'you asked for /page')
  await stop()
})

test('an abort signal reaches the solution', async () => {
  const controller = new AbortController()
  const waiting = zoo.untilAborted(controller.signal)
  controller.abort(new Error('enough'))
  await assert.rejects(waiting, { message: 'enough' })
})

test('a value may hold itself', () => {
  const ring = zoo.circle()
  assert.equal(ring.self.self.name, 'ring')
})
