// Stand-ins for functions, classes, instances and iterators of the other side.
//
// A stand-in says nothing of its own accord: whatever is read from it is asked for, comes as a value,
// and is what the policy allows at that path. It never takes part in a comparison.
'use strict'
const { randomInt } = require('node:crypto')
const { types } = require('node:util')
const { late } = require('./errors.cjs')
const { TRUSTED } = require('./nodes.cjs')
const { named, step } = require('./policy.cjs')
const { asyncSteps, FLAGS, syncSteps } = require('./steps.cjs')
const { need, text } = require('./values.cjs')

// Asked for by test frameworks to find out what they deal with; an answer would let it decide a comparison.
const NEVER_ASKED = new Set([
  'asymmetricMatch', '$$typeof', 'nodeType', 'tagName', 'isEqualNode', 'constructor', '__proto__', 'prototype',
  '@@__IMMUTABLE_ITERABLE__@@', '@@__IMMUTABLE_RECORD__@@', '__defineGetter__', '__defineSetter__',
  '__lookupGetter__', '__lookupSetter__',
]) // prettier-ignore
const OF_FUNCTIONS = new Set(['name', 'length', 'caller', 'arguments', 'call', 'apply', 'bind', 'toString'])
const HARMLESS = new Set(['name', 'length', 'prototype', Symbol.hasInstance]) // plain data, or ours
const MOST_WAYS = 16 // by which one thing is known to come

class StandIns {
  #peer
  #made = new Map() // number → its stand-ins: one for all the ways by which the reference's came, too
  #targets = new Map() // number of a prototype, or less that of a function → what all its stand-ins stand before
  #facts = new WeakMap() // stand-in → { number, path, implied, make }: `make` of live things only

  #symbols = new Map() // number → what it is here
  #looks

  constructor(peer) {
    this.#peer = peer
    this.#looks = new Looks((path) => peer.policy.refuses(path, "a comparison of two objects that are both the solution's").met())
  }

  symbol(number, make) {
    if (!this.#symbols.has(number)) this.#symbols.set(number, make())
    return this.#symbols.get(number)
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
  function([, number, name, length, parent, prototype], path) {
    need(typeof name === 'string' && Number.isInteger(length), 'a function')
    this.#peer.policy.arrives('function', path)
    return this.#live(number, path, this.#makeFunction(name, length, parent, prototype))
  }

  /** A class that only goes along with an instance or an error: whichever stands for it already. */
  #implied([, number, name, length, parent, prototype], path) {
    need(typeof name === 'string' && Number.isInteger(length), 'a class')
    const make = this.#makeFunction(name, length, parent, prototype)
    return this.#first(number) ?? this.#add({ number, path, make, implied: true }, make)
  }

  #makeFunction(name, length, parent, prototype) {
    return (facts) => {
      need(Number.isSafeInteger(prototype), 'a function')
      const key = prototype || -facts.number
      let target = this.#targets.get(key)
      const isNew = target === undefined
      if (isNew) {
        const base = parent === null ? null : this.class(parent, facts.path)
        target = base ? class extends base {} : function () {}
        Object.defineProperties(target, { name: { value: name, configurable: true }, length: { value: length, configurable: true } })
        this.#targets.set(key, target)
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

  /** Whatever the reference gave here and it can be as well: a promise, an iterator, a plain collection. */
  instance([, number, node, flags, plain], path) {
    const { policy } = this.#peer
    need(Number.isInteger(flags), 'an instance')
    const content = plain === undefined ? undefined : this.#peer.decode(plain, path)
    if (!policy.knows('instance', path)) {
      if (flags & FLAGS.thenable && policy.knows('promise', path)) return this.keep(number, path, () => this.#promise(number, path))
      const isAsync = Boolean(flags & FLAGS.asyncIterable)
      if ((isAsync || flags & FLAGS.iterable) && policy.knows('iterator', path)) return this.iterator(['g', number, isAsync], path)
      if (content !== undefined && policy.recorded) return content
    }
    policy.arrives('instance', path)
    return this.#live(number, path, (facts) => {
      const base = node === null ? Object : this.class(node, path)
      const target = Object.create(base.prototype ?? Object.prototype)
      return new Proxy(target, this.#instanceHandler(facts, flags))
    })
  }

  /** Asked for once the code that runs now has gone on: it may be in the midst of another answer. */
  #promise(number, path) {
    return new Promise((resolve) => queueMicrotask(() => resolve(this.#settled(number, path))))
  }

  async #settled(number, path) {
    return this.#peer.ask(path, 'settle', number)
  }

  /** Where the reference gave no iterator, all items are asked for before the first is looked at. */
  iterator([, number, isAsync], path) {
    const peer = this.#peer
    peer.policy.arrives('iterator', path)
    return this.#live(number, path, (facts) => {
      let items
      const next = (word, sent) => peer.ask(step(facts.path, '#'), 'next', number, word, () => peer.encode(sent, step(facts.path, '<')))
      const all = () => peer.ask(facts.path, 'items', number)
      const isKnown = () => !peer.policy.recorded || peer.policy.knows('iterator', facts.path)
      const ask = (word, sent) => {
        if (!items && isKnown()) return next(word, sent)
        if (word === 'return') return {}
        if (isAsync !== true) return (items ??= all()[Symbol.iterator]()).next()
        items ??= all().then((found) => found[Symbol.iterator]())
        return items.then((found) => found.next())
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

  /** Where the reference gave no such object, one that claims to have any name has those that it lists. */
  #has({ number, path }, key) {
    const has = (name) => this.#peer.ask('', 'has', number, this.#key(name)) === true
    if (!this.#peer.policy.recorded || this.#peer.policy.knows('instance', path)) return has(key)
    const names = [key, decoy(key)]
    if (randomInt(2)) names.reverse()
    const answers = new Map(names.map((name) => [name, has(name)]))
    return answers.get(key) && (!answers.get(names.find((name) => name !== key)) || this.#peer.ask('', 'names', number).includes(key))
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
        const make = () => {
          const instance = peer.ask(step(path, '^'), 'new', number, this.#arguments(path, values))
          if (instance instanceof Error) peer.policy.made(step(path, '^'), values, instance)
          return instance
        }
        return peer.policy.knows('error', step(path, '^')) ? late(make) : make()
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

  #instanceHandler(facts, flags) {
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
        if (key === Symbol.iterator && flags & FLAGS.iterable) return () => peer.ask(facts.path, 'iterate', number, false)
        if (key === Symbol.asyncIterator && flags & FLAGS.asyncIterable) return () => peer.ask(facts.path, 'iterate', number, true)
        if (NEVER_ASKED.has(key) || (typeof key === 'symbol' && peer.isUnknown(key))) return Reflect.get(target, key)
        if (key === 'then' && flags & FLAGS.thenable) return (done, failed) => this.#settled(number, facts.path).then(done, failed)
        this.#looks.reads(facts, key)
        return this.#read(facts, key) ?? (key in Object.prototype ? Reflect.get(target, key) : undefined)
      },
      set: (target, key, value) => this.#write(facts, key, value),
      has: (target, key) => {
        if (typeof key === 'symbol' || NEVER_ASKED.has(key)) return Reflect.has(target, key)
        return this.#has(facts, key)
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

/** A name that looks much like another one, and that nothing has. */
function decoy(key) {
  const at = 1 + randomInt(key.length + 1)
  return `${key.slice(0, at)}${String.fromCharCode(97 + randomInt(26))}${key.slice(at)}`
}

module.exports = { StandIns }
