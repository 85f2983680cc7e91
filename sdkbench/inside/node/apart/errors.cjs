// Errors cross by value: their class by name and what it extends, their message, their plain fields.
'use strict'
const { field } = require('./containers.cjs')
const { named, step } = require('./policy.cjs')
const { classNode, constructorOf } = require('./nodes.cjs')
const { need, text } = require('./values.cjs')

const MAX_STACK = 8 * 1024
const MOST_FIELDS = 200

const sent = new WeakMap() // peer → errors that the other side has

/** In full the first time, by its number later: an error may be its own cause. */
function encodeError(peer, error, path) {
  const number = peer.lend(error, path)
  if (!sent.has(peer)) sent.set(peer, new WeakSet())
  if (sent.get(peer).has(error)) return ['e', number]
  sent.get(peer).add(error)
  const constructor = constructorOf(Object.getPrototypeOf(error))
  const fields = Object.entries(Object.getOwnPropertyDescriptors(error))
    .filter(([key]) => key !== 'stack' && key !== 'message')
    .slice(0, MOST_FIELDS)
    .map(([key, { enumerable }]) => [key, peer.encode(error[key], step(path, named(key))), enumerable])
  return [
    'e',
    number,
    classNode(peer, constructor, path),
    String(error.message),
    peer.policy.hidesStacks ? '' : String(error.stack ?? '').slice(0, MAX_STACK),
    fields,
    inherited(error).map((key) => [key, peer.encode(error[key], step(path, named(key)))]),
    Object.getOwnPropertyDescriptor(error, 'message')?.enumerable === true,
  ]
}

/** Values that its classes hold for it: accessors, a name on the prototype. */
function inherited(error) {
  const names = new Set()
  for (let at = Object.getPrototypeOf(error); at && Object.hasOwn(at, 'constructor') && at.constructor.name !== 'Error' && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [key, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (!Object.hasOwn(error, key) && key !== 'constructor' && key !== 'message' && (get || typeof value !== 'function')) names.add(key)
    }
  }
  return [...names].slice(0, MOST_FIELDS)
}

function decodeError(peer, [, number, ...content], path) {
  let isNew = false
  const error = peer.standIns.keep(number, path, () => {
    need(content.length === 6, 'an error')
    isNew = true
    return bareError(peer, content, path)
  })
  if (isNew) fill(peer, error, content, path)
  return error
}

function bareError(peer, [node, message], path) {
  const found = node === null ? Error : peer.standIns.class(node, path)
  if (found === DOMException) return new DOMException(text(message))
  const kind = found === Error || found.prototype instanceof Error ? found : Error
  return Object.setPrototypeOf(new Error(text(message)), kind.prototype)
}

function fill(peer, error, [, message, stack, fields, more, visible], path) {
  need(Array.isArray(fields) && Array.isArray(more), 'an error')
  const define = (key, value, enumerable) => Object.defineProperty(error, text(key), { ...value, enumerable: enumerable === true, configurable: true })
  if (visible === true) define('message', { value: message, writable: true }, true)
  define('stack', { value: text(stack) || `${error.name}: ${message}`, writable: true }, false)
  for (const part of [...fields, ...more]) {
    need(Array.isArray(part) && !['constructor', '__proto__', 'stack', 'message'].includes(part[0]), 'a field')
    const [key, node, enumerable] = part
    define(key, field(() => peer.decode(node, step(path, named(key)))), enumerable)
  }
}

const made = new WeakMap() // what stands for such an error → a function that has it made

/**
 * An error that tests make of a class of the solution's: it is what they compare with, so the solution
 * hears of it only when somebody looks at it. Otherwise it could throw just what is expected.
 *
 * @param {() => Error} make
 */
function late(make) {
  let error
  const whole = () => (error ??= make())
  const traps = Reflect.ownKeys(Reflect).filter((trap) => typeof trap === 'string' && trap !== 'apply' && trap !== 'construct')
  const handler = Object.fromEntries(traps.map((trap) => [trap, (_, ...words) => Reflect[trap](whole(), ...words)]))
  handler.get = (_, key) => Reflect.get(whole(), key)
  handler.set = (_, key, value) => Reflect.set(whole(), key, value)
  const stand = new Proxy(new Error(), handler)
  made.set(stand, whole)
  return stand
}

/** The value itself; of an error that was not made yet, what is made now. */
function present(value) {
  return made.get(value)?.() ?? value
}

module.exports = { decodeError, encodeError, late, present }
