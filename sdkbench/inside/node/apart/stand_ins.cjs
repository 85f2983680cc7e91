// Stand-ins for functions, classes, instances and iterators of the other side.
//
// A stand-in says nothing of its own accord: whatever is read from it is asked for, comes as a value,
// and is what the policy allows at that path. It never takes part in a comparison.
'use strict'
const { types } = require('node:util')
const { isPlain } = require('./containers.cjs')
const { named, step } = require('./policy.cjs')
const { need, text } = require('./values.cjs')

const TRUSTED = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError, DOMException }
// Asked for by test frameworks to find out what they deal with; an answer would let it decide a comparison.
const NEVER_ASKED = new Set([
  'asymmetricMatch', '$$typeof', 'nodeType', 'tagName', 'isEqualNode', 'constructor', '__proto__', 'prototype',
  '@@__IMMUTABLE_ITERABLE__@@', '@@__IMMUTABLE_RECORD__@@', '__defineGetter__', '__defineSetter__',
  '__lookupGetter__', '__lookupSetter__',
]) // prettier-ignore
const OF_FUNCTIONS = new Set(['name', 'length', 'caller', 'arguments', 'call', 'apply', 'bind', 'toString'])
const HARMLESS = new Set(['name', 'length', 'prototype', Symbol.hasInstance]) // plain data, or ours
const ASKED_SYMBOLS = new Map([[Symbol.iterator, 1], [Symbol.asyncIterator, 2]])
const MOST_WAYS = 16 // by which one thing is known to come
const NATIVE = /\{\s*\[native code\]\s*\}\s*$/

// What goes out

function functionNode(peer, value, path, owner) {
  if (!peer.policy.lendable(value)) return peer.policy.sends(path, 'a function that reaches files, processes or code')
  const number = peer.lend(value, path, owner)
  const parent = Object.getPrototypeOf(value)
  const name = typeof value.name === 'string' ? value.name : ''
  return ['f', number, name, Number.isSafeInteger(value.length) ? value.length : 0, typeof parent === 'function' ? classNode(peer, parent, path) : null]
}

/** The class of an error or an instance, for its name and what it extends. Null for none of note. */
function classNode(peer, value, path) {
  if (typeof value !== 'function') return null
  const theirs = peer.standIns.numberOf(value)
  if (theirs !== undefined) return ['k', theirs]
  if (Object.hasOwn(TRUSTED, value.name) && (TRUSTED[value.name] === value || NATIVE.test(Function.prototype.toString.call(value)))) return ['c', value.name]
  if (NATIVE.test(Function.prototype.toString.call(value))) return null
  const parent = classNode(peer, Object.getPrototypeOf(value), path)
  const node = ['f', peer.lend(value, step(path, '.constructor'), undefined, true), text(value.name), 0, parent]
  const origin = peer.packages?.nameOf(value)
  return origin ? ['o', origin, node] : node
}

function instanceNode(peer, value, path) {
  const unfit = unfitKind(value)
  if (unfit) return peer.policy.sends(path, unfit)
  const iterable = [...ASKED_SYMBOLS].reduce((flags, [symbol, flag]) => (typeof value[symbol] === 'function' ? flags | flag : flags), 0)
  const constructor = isPlain(value) ? null : Object.getPrototypeOf(value)?.constructor
  return ['t', peer.lend(value, path), classNode(peer, constructor, path), iterable]
}

/** Things whose inner workings can't be had by asking for names. */
function unfitKind(value) {
  if (types.isBoxedPrimitive(value)) return 'a boxed primitive'
  if (types.isModuleNamespaceObject(value)) return 'a module'
  if (types.isWeakMap(value) || types.isWeakSet(value)) return 'a weak collection'
  if (Array.isArray(value) || types.isMap(value) || types.isSet(value)) return 'a collection of a class of its own, or with hidden fields'
  if (types.isCryptoKey(value)) return 'a CryptoKey (a KeyObject can)'
  if (['[object Blob]', '[object File]', '[object ReadableStream]'].includes(Object.prototype.toString.call(value))) return 'a stream or a file'
  return null
}

// What comes in

class StandIns {
  #peer
  #made = new Map() // number → its stand-ins: one for all the ways by which the reference's came, too
  #targets = new Map() // number of a function → what all its stand-ins stand before
  #facts = new WeakMap() // stand-in → { number, path, implied, make }: `make` of live things only

  #looks

  constructor(peer) {
    this.#peer = peer
    this.#looks = new Looks((path) => peer.policy.refuses(path, "a comparison of two objects that are both the solution's").met())
  }

  numberOf(value) {
    return this.#facts.get(value)?.number
  }

  /** A value that looks and acts the same wherever it comes. */
  keep(number, path, make) {
    return this.#first(number) ?? this.#add({ number, path }, make)
  }

  #first(number) {
    need(Number.isSafeInteger(number) && number > 0, 'a number')
    return this.#made.get(number)?.[0]
  }

  /** A live thing as it is where it comes anew; everything else is the same anywhere. */
  again(value, path) {
    const facts = this.#facts.get(value)
    return facts?.make ? this.#live(facts.number, path, facts.make) : value
  }

  isLive(value) {
    return this.#facts.get(value)?.make !== undefined
  }

  #add(facts, make) {
    const made = make(facts)
    this.#made.set(facts.number, [...(this.#made.get(facts.number) ?? []), made])
    this.#facts.set(made, facts)
    return made
  }

  /** Something live: what may be done with it hangs on the ways by which it came.
   *
   * The same thing by another way is another stand-in, unless the reference's was the same there as
   * well: what is allowed on one way must not be allowed on the other.
   */
  #live(number, path, make) {
    if (!this.#first(number)) return this.#add({ number, path, make }, make)
    for (const made of this.#made.get(number)) {
      const facts = this.#facts.get(made)
      if (facts.implied) {
        Object.assign(facts, { path, implied: false })
        return made
      }
      const ways = facts.path.split('\n')
      if (path.split('\n').every((way) => ways.includes(way))) return made
      if (ways.length < MOST_WAYS && this.#peer.policy.same(facts.path, path)) {
        facts.path = [...new Set([...ways, ...path.split('\n')])].join('\n')
        return made
      }
    }
    return this.#add({ number, path, make }, make)
  }

  /** It may come anywhere. To look at it, the reference must have given a function there too. */
  function([, number, name, length, parent], path) {
    need(typeof name === 'string' && Number.isInteger(length), 'a function')
    this.#peer.policy.arrives('function', path)
    return this.#live(number, path, this.#makeFunction(name, length, parent))
  }

  /** A class that only goes along with an instance or an error: whichever stands for it already. */
  #implied([, number, name, length, parent], path) {
    need(typeof name === 'string' && Number.isInteger(length), 'a class')
    const make = this.#makeFunction(name, length, parent)
    return this.#first(number) ?? this.#add({ number, path, make, implied: true }, make)
  }

  #makeFunction(name, length, parent) {
    return (facts) => {
      let target = this.#targets.get(facts.number)
      const isNew = target === undefined
      if (isNew) {
        const base = parent === null ? null : this.class(parent, facts.path)
        target = base ? class extends base {} : function () {}
        Object.defineProperties(target, { name: { value: name, configurable: true }, length: { value: length, configurable: true } })
        this.#targets.set(facts.number, target)
      }
      const made = new Proxy(target, this.#functionHandler(facts))
      if (isNew) Object.defineProperty(target.prototype, 'constructor', { value: made, writable: true, configurable: true })
      return made
    }
  }

  /** The class that a node describes: one that is trusted, one of a package that both know, or a stand-in. */
  class(node, path) {
    need(Array.isArray(node), 'a class')
    const [tag, name, more] = node
    if (tag === 'c') {
      need(Object.hasOwn(TRUSTED, name), 'a class')
      return TRUSTED[name]
    }
    if (tag === 'o') {
      need(typeof name === 'string', 'a class')
      return this.#peer.packages?.find(name) ?? this.class(more, path)
    }
    const value = tag === 'k' ? this.#peer.borrowed(name).object : tag === 'f' ? this.#implied(node, step(path, '.constructor')) : null
    need(typeof value === 'function', 'a class')
    return value
  }

  instance([, number, node, iterable], path) {
    return this.#live(number, path, (facts) => {
      const base = node === null ? Object : this.class(node, path)
      const target = Object.create(base.prototype ?? Object.prototype)
      return new Proxy(target, this.#instanceHandler(facts, Number(iterable)))
    })
  }

  iterator([, number, isAsync], path) {
    const peer = this.#peer
    peer.policy.arrives('iterator', path)
    return this.#live(number, path, (facts) => {
      const ask = (word, sent) => {
        peer.policy.uses('iterator', facts.path)
        return peer.ask(step(facts.path, '#'), 'next', number, word, () => peer.encode(sent, step(facts.path, '<')))
      }
      return isAsync === true ? asyncSteps(ask) : syncSteps(ask)
    })
  }

  #arguments(path, values) {
    return () => values.map((value, index) => this.#peer.encode(value, step(path, `(${index})`)))
  }

  #key(key) {
    return () => this.#peer.encode(key, '')
  }

  #read({ number, path: whole }, key) {
    const path = step(whole, named(key))
    return this.#peer.ask(path, 'get', number, this.#key(key))
  }

  #write({ number, path: whole }, key, value) {
    const path = step(whole, named(key))
    this.#peer.policy.uses('write', path)
    this.#peer.ask(path, 'set', number, this.#key(key), () => this.#peer.encode(value, path))
    return true
  }

  #functionHandler(facts) {
    const peer = this.#peer
    const { number } = facts
    const looked = () => {
      const { path } = facts
      peer.policy.uses('function', path)
      return path
    }
    const handler = {
      apply: (target, self, values) => {
        const path = looked()
        this.#looks.end()
        peer.policy.uses('call', path)
        const given = self === globalThis || peer.isModule(self) ? undefined : self
        return peer.ask(step(path, '()'), 'call', number, () => peer.encode(given, step(path, '(this)')), this.#arguments(path, values))
      },
      construct: (target, values, made) => {
        const path = looked()
        if (this.#facts.get(made) !== facts) throw peer.policy.refuses(path, 'a class that another one extends').met()
        peer.policy.uses('new', path)
        this.#looks.end()
        const instance = peer.ask(step(path, '^'), 'new', number, this.#arguments(path, values))
        if (instance instanceof Error) peer.policy.made(step(path, '^'), values, instance)
        return instance
      },
      get: (target, key) => {
        if (!HARMLESS.has(key)) looked()
        if (typeof key === 'symbol' || NEVER_ASKED.has(key) || OF_FUNCTIONS.has(key)) return Reflect.get(target, key)
        return this.#read(facts, key) ?? Reflect.get(target, key)
      },
      set: (target, key, value) => this.#write(facts, key, value),
      defineProperty: () => {
        throw peer.policy.refuses(facts.path, 'a function whose properties are defined anew').met()
      },
    }
    for (const trap of ['has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf']) {
      handler[trap] = (...words) => {
        looked()
        return Reflect[trap](...words)
      }
    }
    return handler
  }

  #instanceHandler(facts, iterable) {
    const peer = this.#peer
    const { number } = facts
    const ownKeys = (target) => {
      this.#looks.lists(facts)
      const names = peer.ask('', 'keys', number)
      need(Array.isArray(names), 'names')
      for (const old of Object.keys(target)) if (!names.includes(old)) delete target[old]
      for (const name of names) this.#show(target, text(name), undefined)
      return names
    }
    return {
      get: (target, key) => {
        if (typeof key === 'symbol') return iterable & (ASKED_SYMBOLS.get(key) ?? 0) ? this.#read(facts, key) : undefined
        if (NEVER_ASKED.has(key)) return Reflect.get(target, key)
        this.#looks.reads(facts, key)
        return this.#read(facts, key) ?? (key in Object.prototype ? Reflect.get(target, key) : undefined)
      },
      set: (target, key, value) => this.#write(facts, key, value),
      has: (target, key) => {
        if (typeof key === 'symbol' || NEVER_ASKED.has(key)) return Reflect.has(target, key)
        return peer.ask('', 'has', number, this.#key(key)) === true
      },
      ownKeys,
      getOwnPropertyDescriptor: (target, key) => {
        if (typeof key === 'symbol' || peer.ask('', 'own', number, this.#key(key)) !== true) {
          delete target[key]
          return undefined
        }
        this.#show(target, key, this.#read(facts, key))
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
      defineProperty: () => {
        throw peer.policy.refuses(facts.path, 'an instance whose properties are defined anew').met()
      },
      deleteProperty: () => {
        throw peer.policy.refuses(facts.path, 'an instance that a property is taken from').met()
      },
      setPrototypeOf: () => {
        throw peer.policy.refuses(facts.path, 'an instance that is given another prototype').met()
      },
      preventExtensions: () => {
        throw peer.policy.refuses(facts.path, 'an instance that is sealed').met()
      },
    }
  }

  #show(target, key, value) {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  }
}

/** Finds out whether the fields of two objects are held against each other.
 *
 * Both sides of that comparison would be the solution's word. It shows in the order of what is asked:
 * the fields' names of one right after those of the other, or the same field of both.
 */
class Looks {
  #compared
  #last = null
  #listed = new Set()

  /** @param {(path: string) => Error} compared makes the error of such a comparison */
  constructor(compared) {
    this.#compared = compared
  }

  lists(facts) {
    if (this.#last?.key === null && this.#last.facts !== facts) throw this.#compared(facts.path)
    if (this.#listed.size === 0) queueMicrotask(() => this.end())
    this.#listed.add(facts)
    this.#last = { facts, key: null }
  }

  reads(facts, key) {
    const isSame = this.#last?.key === key && this.#last.facts !== facts
    if (isSame && (this.#listed.has(facts) || this.#listed.has(this.#last.facts))) throw this.#compared(facts.path)
    this.#last = { facts, key }
  }

  /** Something else happens. */
  end() {
    this.#last = null
    this.#listed.clear()
  }
}

function* syncSteps(ask) {
  let sent
  let isDone = false
  try {
    for (;;) {
      const { done, value } = ask('next', sent)
      if ((isDone = done === true)) return value
      sent = yield value
    }
  } finally {
    if (!isDone) ask('return')
  }
}

async function* asyncSteps(ask) {
  let sent
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await ask('next', sent)
      if ((isDone = done === true)) return value
      sent = yield value
    }
  } finally {
    if (!isDone) await ask('return')
  }
}

module.exports = { classNode, functionNode, instanceNode, StandIns }
