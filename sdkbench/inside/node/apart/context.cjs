// The state of the tests' process that a solution may depend on: environment variables, and functions
// such as `fetch` and `console.log` that the tests have replaced. It goes along with every question.
'use strict'
const { need } = require('./values.cjs')

// Functions that tests put others in place of, to see or to decide what a solution does.
const REPLACEABLE = {
  globalThis: ['fetch'],
  console: ['log', 'info', 'warn', 'error', 'debug', 'trace'],
  Math: ['random'],
  Date: ['now'],
  crypto: ['randomUUID'],
  process: ['exit', 'cwd'],
  stdout: ['write'],
  stderr: ['write'],
}
// Time that stands still here goes on there: tests with a clock of their own can't be apart.
const CLOCKS = ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'clearTimeout', 'performance']

const OWN_VARIABLES = /^(NODE_OPTIONS|NODE_CHANNEL_\w+|SDKBENCH_\w+|TSX_\w+|PATH|HOME|PWD|TMPDIR|VITEST_\w+|JEST_WORKER_ID)$/ // each side's own

/** Each function's owner and name, by one word for both. */
function* replaceable() {
  const owners = { globalThis, console, Math, Date, crypto: globalThis.crypto, process, stdout: process.stdout, stderr: process.stderr }
  for (const [owner, names] of Object.entries(REPLACEABLE)) {
    for (const name of names) if (owners[owner]) yield [`${owner}.${name}`, owners[owner], name]
  }
}

function clocks() {
  return CLOCKS.map((name) => globalThis[name])
}

/** The tests' side: what has changed since the last time. */
class GivenContext {
  #peer
  #env
  #clocks = clocks()
  #first = new Map([['globalThis.fetch', globalThis.fetch]])
  #last = null // what is in place of each function

  /** @param {Record<string, string>} env the environment before there were tests */
  constructor(peer, env) {
    this.#peer = peer
    this.#env = { ...env }
  }

  /** The framework has put its own things in place; what is another from now on is the tests'. */
  begin() {
    if (this.#last) return
    for (const [word, owner, name] of replaceable()) if (!this.#first.has(word)) this.#first.set(word, owner[name])
    this.#last = new Map(this.#first)
  }

  changes() {
    if (this.#hasFakeClock()) throw this.#peer.policy.refuses('time', 'a clock that the tests have replaced').met()
    const changed = []
    for (const name of new Set([...Object.keys(this.#env), ...Object.keys(process.env)])) {
      if (process.env[name] !== this.#env[name] && !OWN_VARIABLES.test(name)) changed.push(['env', name, process.env[name] ?? null])
    }
    if (changed.length) this.#env = { ...process.env }
    for (const [word, owner, name] of replaceable()) {
      const now = owner[name]
      if (now === this.#last.get(word)) continue
      this.#last.set(word, now)
      changed.push(['replaced', word, now === this.#first.get(word) ? null : this.#peer.encode(now, word, owner)])
    }
    return changed
  }

  #hasFakeClock() {
    const now = clocks()
    return now.some((clock, index) => clock !== this.#clocks[index] || (typeof clock === 'function' && Object.hasOwn(clock, 'clock')))
  }

  /** The solution's process has no say in ours. */
  apply(changes) {
    need(Array.isArray(changes) && changes.length === 0, 'a context')
  }
}

/** The solution's side: the same is made true here. */
class TakenContext {
  #peer
  #traces
  #first = new Map([...replaceable()].map(([word, owner, name]) => [word, owner[name]]))

  /** @param {Traces} traces is told what the tests have set */
  constructor(peer, traces) {
    this.#peer = peer
    this.#traces = traces
  }

  changes() {
    return []
  }

  apply(changes) {
    for (const [kind, word, node] of changes) {
      if (kind === 'replaced') this.#replace(word, node)
      else {
        if (node === null) delete process.env[word]
        else process.env[word] = node
        this.#traces.expect(word)
      }
    }
  }

  #replace(word, node) {
    const [, owner, name] = [...replaceable()].find(([other]) => other === word)
    owner[name] = node === null ? this.#first.get(word) : this.#peer.decode(node, '')
  }
}

const SHARED = { Object, Array, Function, String, Number, Map, Set, Promise, Error }

/** What a solution leaves behind in its own process, where tests can't see it: they are told. */
class Traces {
  #env = { ...process.env }
  #keys = Object.entries(SHARED).map(([name, { prototype }]) => [name, prototype, Reflect.ownKeys(prototype).length])
  #told = new Set()

  /** Environment variables that the tests have set are no traces. */
  expect(name) {
    if (process.env[name] === undefined) delete this.#env[name]
    else this.#env[name] = process.env[name]
  }

  /** A word for each new trace. */
  found() {
    const words = this.#keys.filter(([, prototype, count]) => Reflect.ownKeys(prototype).length !== count).map(([name]) => `${name}.prototype`)
    for (const name of new Set([...Object.keys(this.#env), ...Object.keys(process.env)])) {
      if (process.env[name] !== this.#env[name]) words.push(`process.env.${name}`)
    }
    const fresh = words.filter((word) => !this.#told.has(word))
    for (const word of fresh) this.#told.add(word)
    return fresh
  }
}

module.exports = { GivenContext, TakenContext, Traces }
