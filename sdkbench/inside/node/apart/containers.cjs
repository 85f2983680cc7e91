// Arrays, plain objects, maps and sets. Each crosses once and is the same thing on both sides from then
// on: a later message names it by number, and says first what has changed in it.
'use strict'
const { types } = require('node:util')
const { CrossingError, named, step } = require('./policy.cjs')
const { need, text } = require('./values.cjs')

const MOST_TRACKED = 2000 // containers whose changes are looked for before each message
const MOST_PARTS = 20_000 // and how many parts they may have together
const MAX_HOLES = 1_000_000

/** 'a', 'o', 'm' or 's', or undefined for everything that is not plainly one of these. */
function kindOf(value) {
  const prototype = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return isArrayPrototype(prototype) && hasPlainFields(value) ? 'a' : undefined
  if (types.isMap(value) || types.isSet(value)) {
    return isFirst(prototype) && Reflect.ownKeys(value).length === 0 ? (types.isMap(value) ? 'm' : 's') : undefined
  }
  return isPlain(value) && hasPlainFields(value) ? 'o' : undefined
}

/** In whatever realm it was made. */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value)
  const isRoot = prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty'))
  return isRoot && Object.prototype.toString.call(value) === '[object Object]'
}

/** Whether it is the prototype of a class that extends none: a subclass may do anything. */
function isFirst(prototype) {
  const next = prototype && Object.getPrototypeOf(prototype)
  return Boolean(next) && Object.getPrototypeOf(next) === null
}

function isArrayPrototype(prototype) {
  return Array.isArray(prototype) && isFirst(prototype)
}

/** Data under names, all of it visible: no accessor, no symbol, nothing hidden. */
function hasPlainFields(value) {
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'length' && Array.isArray(value)) continue
    const field = Reflect.getOwnPropertyDescriptor(value, key)
    if (typeof key === 'symbol' || !field || !('value' in field) || !field.enumerable) return false
  }
  return true
}

function isIndex(key, length) {
  return /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < length
}

class Containers {
  #encode
  #decode
  #mayChange
  #live
  #numbers = new WeakMap() // container → its number: ours are positive, theirs negative
  #known = new Map() // number → container
  #mirrors = new Map() // collection of a class → a plain one in its place, and how it is made
  #isCopied
  #diverged = new Map() // number → what the other side has made of it, where this one keeps its own
  #paths = new WeakMap()
  #tracked = new Map() // number → what it was when both sides last agreed
  #parts = 0
  #next = 1

  /**
   * @param {(value: unknown, path: string, owner?: object) => unknown} encode
   * @param {(node: unknown, path: string) => unknown} decode
   * @param {object} policy
   * @param {(path: string) => boolean} policy.mayChange whether this side takes over what the other one changes at this path
   * @param {boolean} [policy.copiesProxies] whether proxies that look like plain objects are such
   * @param {object} live what stays on the other side, and what is known of it
   * @param {(value: unknown) => boolean} live.is
   * @param {(value: object, path: string) => object} live.again the same at another path
   * @param {(before: string, path: string) => boolean} live.same whether it may be the same on both paths
   */
  constructor(encode, decode, policy, live) {
    this.#encode = encode
    this.#decode = decode
    this.#mayChange = (path) => policy.mayChange(path)
    const isLooked = (value) => policy.copiesProxies === true || !types.isProxy(value) || Array.isArray(value)
    this.#isCopied = (value) => isLooked(value) && typeof value.then !== 'function'
    this.#live = live
  }

  /** A node for a container, or undefined where the value is none. */
  encode(value, path) {
    const known = this.#numbers.get(value)
    if (known !== undefined) return ['x', known]
    const kind = kindOf(value)
    if (kind === undefined || !this.#isCopied(value)) return undefined
    const number = this.#next++
    this.#learn(value, number, path)
    const content = this.#content(kind, value, path)
    this.#track(number, value)
    return [kind, number, ...content]
  }

  /** A plain collection that goes in place of one of a class, and is kept like it. */
  mirror(value, copied) {
    if (!this.#mirrors.has(value)) this.#mirrors.set(value, { copy: copied(), copied })
    return this.#mirrors.get(value).copy
  }

  #learn(value, number, path) {
    this.#numbers.set(value, number)
    this.#known.set(number, value)
    this.#paths.set(value, path)
  }

  #content(kind, value, path) {
    const encoded = (part, next) => this.#encode(part, step(path, next))
    const fields = (keys) => keys.map((key) => [key, this.#encode(value[key], step(path, named(key)), value)])
    const state = Object.isFrozen(value) ? 1 : 0
    if (kind === 'm') return [0, [...value].map(([key, part]) => [encoded(key, '{}'), encoded(part, '{}')])]
    if (kind === 's') return [0, [...value].map((part) => encoded(part, '[]'))]
    const keys = Object.keys(value)
    if (kind === 'o') return [Object.getPrototypeOf(value) === null ? state + 2 : state, fields(keys)]
    const items = Array.from({ length: value.length }, (_, index) => (Object.hasOwn(value, index) ? encoded(value[index], '[]') : ['h']))
    return [state, items, fields(keys.filter((key) => !isIndex(key, value.length)))]
  }

  /** The container of a node; the caller has seen that its tag is one of ours. */
  decode([kind, number, ...content], path) {
    if (kind === 'x') {
      need(Number.isInteger(number) && this.#known.has(-number), 'a container')
      return this.#again(this.#diverged.get(-number) ?? this.#known.get(-number), path)
    }
    need(Number.isInteger(number) && number > 0 && !this.#known.has(-number), 'a container')
    const value = blank(kind, content)
    this.#learn(value, -number, path)
    this.#fill(kind, value, content, path)
    this.#track(-number, value)
    return value
  }

  /** One that is known comes by another way: live things in it are then others, and so is it. */
  #again(value, path) {
    const before = this.#paths.get(value)
    if (before === path || !this.#isLive(value, new Set()) || this.#live.same(before, path)) return value
    return this.#copy(value, path, new Map())
  }

  #isLive(value, seen) {
    if (typeof value === 'function' || (typeof value === 'object' && value !== null)) {
      if (this.#live.is(value)) return true
      if (seen.has(value) || !this.#numbers.has(value)) return false
      seen.add(value)
      return partsOf(value).some((part) => this.#isLive(part, seen))
    }
    return false
  }

  #copy(value, path, copies) {
    if (this.#live.is(value)) return this.#live.again(value, path)
    if (typeof value !== 'object' || value === null || !this.#numbers.has(value)) return value
    if (copies.has(value)) return copies.get(value)
    const copied = (part, next) => this.#copy(part, step(path, next), copies)
    if (types.isMap(value) || types.isSet(value)) {
      const copy = types.isMap(value) ? new Map() : new Set()
      copies.set(value, copy)
      if (types.isMap(value)) for (const [key, part] of value) copy.set(copied(key, '{}'), copied(part, '{}'))
      else for (const part of value) copy.add(copied(part, '[]'))
      return copy
    }
    const copy = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value))
    copies.set(value, copy)
    for (const [key, { get, value: part }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (key === 'length' && Array.isArray(value)) copy.length = part
      else {
        const isItem = Array.isArray(value) && isIndex(key, value.length)
        const content = get ? { get } : { value: copied(part, isItem ? '[]' : named(key)), writable: true }
        Object.defineProperty(copy, key, { ...content, enumerable: true, configurable: true })
      }
    }
    return copy
  }

  #fill(kind, value, [state, parts, more = []], path) {
    const decoded = (node, next) => this.#decode(node, step(path, next))
    const pairs = (nodes) => {
      need(Array.isArray(nodes) && nodes.every((pair) => Array.isArray(pair) && pair.length === 2), 'a container')
      return nodes
    }
    const define = (nodes) => {
      for (const [key, node] of pairs(nodes)) {
        // Not by assignment: a field named __proto__ is a field.
        Object.defineProperty(value, text(key), { ...field(() => decoded(node, named(key))), enumerable: true, configurable: true })
      }
    }
    need(Array.isArray(parts) && Number.isInteger(state), 'a container')
    if (kind === 'm') for (const [key, part] of pairs(parts)) value.set(decoded(key, '{}'), decoded(part, '{}'))
    else if (kind === 's') for (const part of parts) value.add(decoded(part, '[]'))
    else if (kind === 'o') define(parts)
    else {
      need(parts.length <= MAX_HOLES && pairs(more).every(([key]) => !isIndex(text(key), Infinity) && key !== 'length'), 'an array')
      value.length = parts.length
      parts.forEach((node, index) => {
        if (!(Array.isArray(node) && node[0] === 'h')) value[index] = decoded(node, '[]')
      })
      define(more)
    }
    if (state & 1) Object.freeze(value)
  }

  #track(number, value) {
    if (Object.isFrozen(value) || kindOf(value) === undefined) return // with a field that could not cross, say
    const parts = Array.isArray(value) ? value.length : (value.size ?? Object.keys(value).length)
    if (parts > MOST_PARTS) return
    this.#tracked.set(number, { text: this.#state(value), parts })
    this.#parts += parts
    for (const [oldest, { parts: size }] of this.#tracked) {
      if (this.#tracked.size <= MOST_TRACKED && this.#parts <= MOST_PARTS) break
      this.#tracked.delete(oldest)
      this.#parts -= size
    }
  }

  #agree(number, value) {
    if (kindOf(value) === undefined) this.#tracked.delete(number)
    else this.#tracked.get(number).text = this.#state(value)
  }

  #state(value) {
    return JSON.stringify(this.#content(kindOf(value), value, this.#paths.get(value)))
  }

  /** What has changed in containers since the last message, for the next one. */
  changes() {
    const changed = []
    for (const { copy, copied } of this.#mirrors.values()) {
      if ((copy.length ?? copy.size) <= MOST_PARTS) refill(copy, copied())
    }
    for (const [number, before] of [...this.#tracked]) {
      const value = this.#known.get(number)
      const kind = kindOf(value)
      if (kind === undefined) {
        this.#tracked.delete(number) // it has become something else: from now on each side has its own
        continue
      }
      const content = this.#content(kind, value, this.#paths.get(value))
      const now = JSON.stringify(content)
      if (now === before.text) continue
      changed.push([number, kind, ...content])
      this.#agree(number, value) // parts that were new are known by now
    }
    return changed
  }

  /** The other side goes on with its own: where it gives that back, it is another thing. */
  #differs(number, kind, content, path) {
    const made = blank(kind, content)
    this.#fill(kind, made, content, path)
    this.#diverged.set(number, made)
  }

  /** Take over what the other side has changed, where it may. */
  apply(changed) {
    need(Array.isArray(changed), 'a change')
    for (const change of changed) {
      need(Array.isArray(change) && Number.isInteger(change[0]) && this.#known.has(-change[0]), 'a change')
      const [number, kind, ...content] = change
      const value = this.#known.get(-number)
      const path = this.#paths.get(value)
      need(kind === (kindOf(value) ?? kind), 'a change')
      if (Object.isFrozen(value)) continue
      if (!this.#mayChange(path)) {
        this.#differs(-number, kind, content, path)
        continue
      }
      empty(value)
      this.#fill(kind, value, content, path)
      if (this.#tracked.has(-number)) this.#agree(-number, value)
    }
  }
}

/** What may not cross is missed when somebody looks at it, not before. */
function field(decoded) {
  try {
    return { value: decoded(), writable: true }
  } catch (error) {
    if (!(error instanceof CrossingError)) throw error
    return {
      get() {
        throw error.met()
      },
    }
  }
}

function partsOf(value) {
  if (types.isMap(value)) return [...value].flat()
  if (types.isSet(value)) return [...value]
  return Object.values(Object.getOwnPropertyDescriptors(value)).map((field) => field.value)
}

function blank(kind, [state]) {
  if (kind === 'm') return new Map()
  if (kind === 's') return new Set()
  return kind === 'a' ? [] : state & 2 ? Object.create(null) : {}
}

function empty(value) {
  if (types.isMap(value) || types.isSet(value)) return value.clear()
  for (const key of Object.keys(value)) delete value[key]
  if (Array.isArray(value)) value.length = 0
}

function refill(copy, fresh) {
  if (Array.isArray(copy)) copy.splice(0, copy.length, ...fresh)
  else {
    copy.clear()
    for (const part of fresh) if (types.isMap(copy)) copy.set(...part)
    else copy.add(part)
  }
}

module.exports = { Containers, field, isPlain, kindOf }
