// One end of the conversation: values go out and come in, and each side can use what stays on the other.
//
// Both sides run this code. What the tests' side lets in is decided by its policy.
'use strict'
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks')
const { types } = require('node:util')
const { Containers, kindOf } = require('./containers.cjs')
const { decodeError, encodeError, present } = require('./errors.cjs')
const { ProtocolError, VERSION } = require('./frames.cjs')
const { functionNode, instanceNode } = require('./nodes.cjs')
const { CrossingError, named, OWN_DOING, step } = require('./policy.cjs')
const { StandIns } = require('./stand_ins.cjs')
const steps = require('./steps.cjs')
const { decodeLeaf, encodeLeaf, need, text } = require('./values.cjs')
const web = require('./web.cjs')

const CONTAINERS = new Set(['a', 'o', 'm', 's', 'x'])
const MOST_CONTEXTS = 1000 // of questions that the other side may still be busy with
const MAX_DEPTH = 60 // of containers in each other; frames.cjs has its own, wider limit

class Peer {
  context = null // the state of the process, which goes along with questions
  packages = null // whose classes both sides know
  isModule = () => false // whether something is what a module exports
  #bridge
  #load
  #changed
  #speaking
  #lent = new Map() // number → what of ours the other side may name: { object, path, owner, implied }
  #numbers = new WeakMap() // such an object → its number
  #pending = new Map() // number of a question → { path, answer }
  #settling = new Map() // number of a promise of theirs → { resolve, reject, path }
  #within = new AsyncLocalStorage() // the number of the question of theirs that our code is busy with
  #contexts = new Map() // number of a question of ours → the context it was asked in
  #unseen = new WeakMap() // object of ours → what the other side has set in it for itself alone
  #symbols = new Map() // of ours and theirs → the node that names it for the other side
  #next = 1
  #depth = 0
  #over = null
  #said = 0 // messages
  heard = 0

  /**
   * @param {object} options
   * @param {object} options.policy what may cross
   * @param {(file: string, mode: string) => unknown} [options.load] a module of ours
   * @param {(fault: string) => void} [options.fault] told what went wrong on the other side
   * @param {() => void} [options.changed] told when the other side has changed a value that both have
   * @param {() => void} [options.speaking] told before anything is said
   */
  constructor({ policy, load, fault = () => {}, changed = () => {}, speaking = () => {} }) {
    this.policy = policy
    this.fault = fault
    this.#load = load
    this.#changed = changed
    this.#speaking = speaking
    this.containers = new Containers(
      (value, path, owner) => this.encode(value, path, owner),
      (node, path) => this.decode(node, path),
      policy,
      {
        is: (value) => this.standIns.isLive(value),
        again: (value, path) => this.standIns.again(value, path),
        same: (before, path) => policy.same(before, path),
      },
    )
    this.standIns = new StandIns(this)
  }

  /** @param {import('./bridge.cjs').Bridge} bridge whose frames go to `take` and whose end to `ended` */
  open(bridge) {
    this.#bridge = bridge
    this.#send(['hello', VERSION])
  }

  #send(tree) {
    this.#said++
    this.#bridge.send(tree)
  }

  // Values

  encode(given, path, owner) {
    const value = present(given)
    if (typeof value === 'symbol' && this.#symbols.has(value)) return this.#symbols.get(value)
    if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
      const theirs = this.standIns.numberOf(value)
      if (theirs !== undefined) return ['k', theirs]
    }
    const leaf = encodeLeaf(value)
    if (typeof value === 'symbol' && leaf[0] === '!') return this.#lendSymbol(value)
    if (leaf !== undefined) return Array.isArray(leaf) && leaf[0] === '!' ? this.policy.sends(path, leaf[1]) : leaf
    return this.#encodeReference(value, path, owner)
  }

  #lendSymbol(symbol) {
    const number = this.#next++
    this.#lent.set(number, { object: symbol, path: '' })
    this.#symbols.set(symbol, ['own', number, String(symbol.description ?? '')])
    return this.#symbols.get(symbol)
  }

  #decodeSymbol([, number, description]) {
    need(Number.isSafeInteger(number) && number > 0, 'a symbol')
    return this.standIns.symbol(number, () => {
      const symbol = Symbol(text(description))
      this.#symbols.set(symbol, ['k', number])
      return symbol
    })
  }

  /** Whether the other side can't have it as a name. */
  isUnknown(symbol) {
    return !this.#symbols.has(symbol)
  }

  #encodeReference(value, path, owner) {
    if (typeof value === 'function') return functionNode(this, value, path, owner)
    if (types.isPromise(value)) return this.#encodePromise(value, path)
    if (types.isNativeError(value) || value instanceof Error) return encodeError(this, value, path)
    if (this.#depth >= MAX_DEPTH) return this.policy.sends(path, 'a value that is nested too deeply')
    this.#depth++
    try {
      const container = this.containers.encode(value, path)
      if (container) return container
    } finally {
      this.#depth--
    }
    if (types.isGeneratorObject(value)) return ['g', this.lend(value, path), typeof value[Symbol.asyncIterator] === 'function']
    return web.encode(this, value, path) ?? instanceNode(this, value, path)
  }

  #encodePromise(promise, path) {
    const known = this.#numbers.get(promise)
    if (known !== undefined) return ['p', known]
    const number = this.lend(promise, path)
    const settle = (ok) => (value) => {
      if (this.#over === null) this.#say((changes, node) => ['s', changes, number, ok, node], value, step(path, '~'))
    }
    promise.then(settle(true), (error) => settle(false)(this.policy.threw(error)))
    return ['p', number]
  }

  /** Send a value; where it can't cross, send that. */
  #say(message, value, path) {
    this.#speaking()
    const changes = this.containers.changes() // before the value: what is new in them is named by it
    try {
      this.#send(message(changes, this.encode(value, path)))
    } catch (error) {
      this.#send(message(changes, ['!', error.message])) // too large, say
    }
  }

  decode(node, path) {
    return decodeLeaf(node, (reference) => this.#decodeReference(reference, path))
  }

  #decodeReference(node, path) {
    const [tag, number] = node
    if (CONTAINERS.has(tag)) return this.containers.decode(node, path)
    switch (tag) {
      case '!':
        throw this.policy.refuses(path, String(number).slice(0, 200))
      case 'k':
        return this.borrowed(number).object
      case 'f':
        return this.standIns.function(node, path)
      case 't':
        return this.standIns.instance(node, path)
      case 'g':
        return this.standIns.iterator(node, path)
      case 'own':
        return this.#decodeSymbol(node)
      case 'p':
        return this.standIns.keep(number, path, () => this.#decodePromise(number, path))
      case 'e':
        return decodeError(this, node, path)
      default:
        return web.decode(this, node, path)
    }
  }

  #decodePromise(number, path) {
    this.policy.arrives('promise', path)
    this.#bridge.hold()
    return new Promise((resolve, reject) => this.#settling.set(number, { resolve, reject, path }))
  }

  /** The number by which the other side may name this object of ours.
   *
   * `owner` is what a function was found in; `implied` is a class that only goes along with its instance.
   */
  lend(object, path, owner, implied = false) {
    let number = this.#numbers.get(object)
    if (number === undefined) {
      number = this.#next++
      this.#numbers.set(object, number)
      this.#lent.set(number, { object, path, owner, implied })
    }
    return number
  }

  borrowed(number) {
    const entry = this.#lent.get(number)
    need(entry !== undefined, 'a thing of ours')
    return entry
  }

  // Questions to the other side

  /** Ask and wait; the answer stands at `path`. Throws what the other side throws. */
  ask(path, op, ...rest) {
    if (this.#over !== null) {
      this.fault(`the solution does not answer any more: ${this.#over}`)
      throw this.#gone()
    }
    const number = this.#next++
    const question = { path }
    this.#pending.set(number, question)
    this.#keepContext(number)
    this.#speaking()
    const changes = this.containers.changes()
    const context = this.context?.changes() ?? []
    const within = this.#within.getStore() ?? 0
    const nodes = rest.map((part) => (typeof part === 'function' ? part() : part)) // after the changes: they name what is new
    this.#send(['q', number, changes, context, within, op, ...nodes])
    try {
      this.#bridge.wait(() => question.answer !== undefined || this.#over !== null)
    } catch (error) {
      this.ended(error.message)
    }
    this.#pending.delete(number)
    if (question.answer === undefined) throw this.#gone()
    const { ok, value } = question.answer
    if (!ok) throw value
    return value
  }

  /** What the other side does for this question may ask us in its turn, also when it was answered. */
  #keepContext(number) {
    if (!this.#load) return
    this.#contexts.set(number, new AsyncResource('question'))
    if (this.#contexts.size > MOST_CONTEXTS) this.#contexts.delete(this.#contexts.keys().next().value)
  }

  /** In the context in which our own code would have been called by the other side's. */
  #inContext(number, within, work) {
    const context = this.#contexts.get(within)
    if (this.#load) return context ? context.runInAsyncScope(work) : work()
    return this.#within.run(number, work)
  }

  #gone() {
    return new Error(`the solution does not answer: ${this.#over}`)
  }

  // Messages from the other side

  take(tree) {
    this.heard++
    try {
      this.#handle(tree)
    } catch (error) {
      // Whatever the decoder makes of it, the other side has sent it.
      this.#bridge.close(`protocol error: ${error instanceof ProtocolError ? error.message : `${error?.name}: ${error?.message}`}`)
    }
  }

  #handle([kind, ...rest]) {
    switch (kind) {
      case 'q':
        return this.#answer(...rest)
      case 'r':
        return this.#receive(...rest)
      case 's':
        return this.#settle(...rest)
      case 'abort':
        return web.abort(this, ...rest)
      case 'idle':
        if (rest[0] === this.#said) this.#bridge.rest() // otherwise something is still on its way
        return
      case 'trace':
        return this.policy.traced(text(rest[0]))
      case 'fault':
        return this.fault(String(rest[0]).slice(0, 2000))
      default:
        need(kind === 'hello' && rest[0] === VERSION, 'a message')
    }
  }

  #receive(number, changes, ok, node) {
    const question = this.#pending.get(number)
    need(question !== undefined && question.answer === undefined && typeof ok === 'boolean', 'an answer')
    this.#apply(changes)
    question.answer = this.#outcome(ok, node, question.path)
  }

  #apply(changes) {
    this.containers.apply(changes)
    if (changes.length) this.#changed()
  }

  #settle(changes, number, ok, node) {
    const promise = this.#settling.get(number)
    need(promise !== undefined && typeof ok === 'boolean', 'a promise')
    this.#settling.delete(number)
    this.#apply(changes)
    const outcome = this.#outcome(ok, node, step(promise.path, '~'))
    this.#bridge.release()
    if (outcome.ok) promise.resolve(outcome.value)
    else promise.reject(outcome.value)
  }

  #outcome(ok, node, path) {
    try {
      return { ok, value: this.decode(node, ok ? path : step(path, '!')) }
    } catch (error) {
      if (!(error instanceof CrossingError)) throw error
      return { ok: false, value: error.met() }
    }
  }

  #answer(number, changes, context, within, op, ...rest) {
    need(Number.isInteger(number) && Number.isInteger(within), 'a question')
    this.#apply(changes)
    this.context?.apply(context)
    const reply = (ok) => (value) => this.#say((changes, node) => ['r', number, changes, ok, node], value, '')
    const refuse = (error) => reply(false)(error)
    let result
    try {
      result = op === 'load' ? this.#load(...rest) : this.#inContext(number, within, () => this.#perform(op, rest))
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      if (error instanceof CrossingError) error.met()
      return refuse(this.policy.threw(error))
    }
    if (op === 'load') result.then(reply(true), refuse)
    else this.#say((changes, node) => ['r', number, changes, true, node], result.value, result.path)
  }

  /** Use something of ours as the other side asks; gives the value and its path. */
  #perform(op, [number, ...rest]) {
    const { object, path, owner, implied } = this.borrowed(number)
    const key = () => {
      const name = this.decode(rest[0], '')
      need(typeof name === 'string' || typeof name === 'symbol', 'a name')
      return name
    }
    const given = (nodes) => {
      need(Array.isArray(nodes), 'arguments')
      return nodes.map((node, index) => this.decode(node, step(path, `(${index})`)))
    }
    const field = (name) => step(path, named(name))
    switch (op) {
      case 'call': {
        need(typeof object === 'function', 'a function')
        if (implied) this.policy.lends('calls', path)
        const self = this.decode(rest[0], '')
        return { value: Reflect.apply(object, self === undefined ? owner : self, given(rest[1])), path: step(path, '()') }
      }
      case 'new':
        need(typeof object === 'function', 'a function')
        this.policy.lends('constructs', path)
        return { value: Reflect.construct(object, given(rest[0])), path: step(path, '^') }
      case 'get': {
        const name = key()
        const unseen = this.#unseen.get(object)
        if (unseen?.has(name)) return { value: unseen.get(name), path: field(name) }
        if (!isPlainlyThere(object, name)) this.policy.lends('reads', field(name), name)
        const isBasic = typeof name === 'string' && Object.hasOwn(Object.prototype, name) && object[name] === Object.prototype[name]
        return isBasic ? { value: undefined, path: '' } : { value: object[name], path: field(name) }
      }
      case 'set': {
        const name = key()
        const mayWrite = this.policy.mayWrite(field(name), name)
        const value = this.decode(rest[1], this.policy.knows('writes', field(name)) ? field(name) : field(name) + OWN_DOING)
        if (mayWrite) object[name] = value
        else this.#unseen.set(object, (this.#unseen.get(object) ?? new Map()).set(name, value))
        return { value: undefined, path: '' }
      }
      case 'has':
        return { value: key() in object, path: '' }
      case 'own':
        return { value: Object.prototype.propertyIsEnumerable.call(object, key()), path: '' }
      case 'names':
        return { value: namesOf(object), path: '' }
      case 'keys':
        return { value: Object.keys(object), path: '' }
      case 'next':
        this.#iterates(object, path)
        return { value: steps.step(object, rest[0], this.decode(rest[1], step(path, '<'))), path: step(path, '#') }
      case 'iterate':
        this.#iterates(object, path)
        return { value: steps.started(object, rest[0] === true), path }
      case 'items':
        this.#iterates(object, path)
        return { value: steps.items(object), path }
      case 'settle':
        if (!types.isPromise(object)) this.policy.lends('reads', field('then'), 'then')
        return { value: steps.settled(object), path }
      case 'chunk':
        return { value: web.chunk(object), path: '' }
      case 'cancel':
        return { value: web.cancel(object), path: '' }
      default:
        throw new ProtocolError('a question that is none')
    }
  }

  #iterates(object, path) {
    if (!types.isGeneratorObject(object)) this.policy.lends('reads', step(path, named(Symbol.iterator)), Symbol.iterator)
  }

  tell(...message) {
    if (this.#over === null) this.#send(message)
  }

  /** No more will come. Whoever waits for a promise is told. */
  ended(reason) {
    if (this.#over !== null) return
    this.#over = reason
    const waiting = [...this.#settling.values()]
    if (waiting.length || this.#pending.size) this.fault(`the solution does not answer any more: ${reason}`)
    this.#settling.clear()
    for (const { reject } of waiting) {
      this.#bridge.release()
      reject(this.#gone())
    }
  }
}

/** Whether a name leads to plain data, or to nothing: to read that runs no code and hands out nothing live. */
function isPlainlyThere(object, name) {
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
    if (types.isProxy(at)) return false
    const found = Object.getOwnPropertyDescriptor(at, name)
    if (found) return 'value' in found && isData(found.value)
  }
  return true
}

/** Of a thing and all that it inherits from, but for what everything has. */
function namesOf(object) {
  const names = []
  for (let at = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(...Reflect.ownKeys(at).filter((key) => typeof key === 'string'))
  }
  return names
}

function isData(value) {
  if (typeof value === 'function') return false
  return typeof value !== 'object' || value === null || (!types.isProxy(value) && kindOf(value) !== undefined)
}

module.exports = { Peer }
