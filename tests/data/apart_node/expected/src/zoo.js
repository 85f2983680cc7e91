// A solution that gives, takes and does a bit of everything.
import { sign } from 'node:crypto'
import { createServer } from 'node:http'

export const LIMITS = Object.freeze({ most: 3, names: Object.freeze(['a', 'b']) })
export let count = 0
export default function same(value) {
  return value
}

export function increment() {
  count += 1
  return count
}

export function kinds() {
  return {
    nothing: undefined, none: null, nan: NaN, infinite: -Infinity, zero: -0, big: 12345678901234567890n,
    date: new Date(86_400_000), map: new Map([['a', { deep: [1] }]]), set: new Set([1, 'b']), pattern: /a+/giu,
    url: new URL('https://example.test/a?b=c'), query: new URLSearchParams('a=1&a=2'), bytes: new Uint8Array([1, 2, 255]),
    buffer: Buffer.from('text'), doubles: new Float64Array([0.5]), symbol: Symbol.for('shared'), holes: [1, , 3],
  } // prettier-ignore
}

export class NotFound extends RangeError {
  constructor(key, options) {
    super(`no ${key}`, options)
    this.name = 'NotFound'
    this.key = key
  }

  get status() {
    return 404
  }
}

export class Gone extends NotFound {}

export class Store {
  static made = 0
  #items = new Map()
  size = 0

  constructor(items = {}) {
    Store.made += 1
    for (const [key, value] of Object.entries(items)) this.set(key, value)
  }

  static of(items) {
    return new Store(items)
  }

  get first() {
    return this.keys()[0]
  }

  set(key, value) {
    this.#items.set(key, value)
    this.size = this.#items.size
    return this
  }

  get(key) {
    if (!this.#items.has(key)) throw new NotFound(key, { cause: new Error('the cause') })
    return this.#items.get(key)
  }

  keys() {
    return [...this.#items.keys()]
  }

  async find(key) {
    return this.get(key)
  }

  *[Symbol.iterator]() {
    yield* this.#items
  }

  toString() {
    return `Store(${this.keys()})`
  }
}

export class Point {
  constructor(x, y) {
    this.x = x
    this.y = y
  }
}

export const middle = (a, b) => new Point((a.x + b.x) / 2, (a.y + b.y) / 2)
export const nested = () => new Gone('page')
export const joined = () => new AggregateError([new TypeError('one')], 'several')

export async function* pages(most) {
  for (let page = 1; page <= most; page += 1) yield { page }
}

export function* numbers() {
  const sent = yield 1
  yield sent * 2
}

export function sortInPlace(list) {
  list.sort()
}

export const keep = []
export const keepIt = (value) => keep.push(value)
export const kept = () => keep

export async function visit(list, callback) {
  const results = []
  for (const [index, item] of list.entries()) results.push(await callback(item, index))
  return results
}

export function callNow(callback) {
  try {
    return callback('now')
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}

export const useClock = (clock) => clock.now() + clock.offset
export const adder = (first) => (second) => first + second
export const signed = (text, key) => sign('sha256', Buffer.from(text), key)
export const say = (...words) => console.log(...words)
export const fromEnvironment = () => process.env.ZOO_NAME ?? 'nobody'
export const fetched = async (url) => (await fetch(url, { headers: { accept: 'text/plain' } })).text()
export const handler = async (request) =>
  Response.json({ method: request.method, body: await request.text(), kind: request.headers.get('x-kind') }, { status: 201, headers: { 'x-made': 'yes' } })
export function feed() {
  let state = 'open'
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('one more ')),
    cancel: () => {
      state = 'left'
    },
  })
  return { response: new Response(body), state: () => state }
}
export const fields = (form) => [...form.entries()]

export function serve() {
  const server = createServer((request, response) => response.end(`you asked for ${request.url}`))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, stop: () => new Promise((end) => server.close(end)) }))
  })
}

export function untilAborted(signal) {
  return new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

export const circle = () => {
  const node = { name: 'ring' }
  node.self = node
  return node
}
