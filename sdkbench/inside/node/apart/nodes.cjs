// What is said of functions, classes and instances that stay on this side.
'use strict'
const { types } = require('node:util')
const { isPlain } = require('./containers.cjs')
const { step } = require('./policy.cjs')
const { flagsOf } = require('./steps.cjs')

const TRUSTED = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError, DOMException }
const NATIVE = /\{\s*\[native code\]\s*\}\s*$/

function functionNode(peer, value, path, owner) {
  if (!peer.policy.lendable(value)) return peer.policy.sends(path, 'a function that reaches files, processes or code')
  const number = peer.lend(value, path, owner)
  const name = typeof value.name === 'string' ? value.name : ''
  return ['f', number, name, Number.isSafeInteger(value.length) ? value.length : 0, classNode(peer, parentOf(peer, value), path), lendPrototype(peer, value)]
}

const makers = new WeakMap() // prototype → the function whose it is, as it was sent first

/** A class is known by its prototype: by the same one, a proxy of it stands for it as well. */
function lendPrototype(peer, value) {
  const { prototype } = value
  if (typeof prototype !== 'object' || prototype === null) return 0
  if (!makers.has(prototype)) makers.set(prototype, value)
  return peer.lend(prototype, '', undefined, true)
}

function constructorOf(prototype) {
  return prototype && (makers.get(prototype) ?? prototype.constructor)
}

/** What a class extends, also where only the prototypes tell. */
function parentOf(peer, value) {
  const parent = Object.getPrototypeOf(value)
  if (typeof parent === 'function' && parent.prototype !== undefined) return parent
  const { prototype } = value
  return typeof prototype === 'object' && prototype !== null ? constructorOf(Object.getPrototypeOf(prototype)) : null
}

/** The class of an error or an instance, for its name and what it extends. Null for none of note. */
function classNode(peer, value, path) {
  if (typeof value !== 'function') return null
  const theirs = peer.standIns.numberOf(value)
  if (theirs !== undefined) return ['k', theirs]
  const isNative = !types.isProxy(value) && NATIVE.test(Function.prototype.toString.call(value))
  if (Object.hasOwn(TRUSTED, value.name) && (TRUSTED[value.name] === value || isNative)) return ['c', value.name]
  if (isNative) return null
  const parent = classNode(peer, parentOf(peer, value), path)
  const name = typeof value.name === 'string' ? value.name : ''
  const node = ['f', peer.lend(value, step(path, '.constructor'), undefined, true), name, 0, parent, lendPrototype(peer, value)]
  const origin = peer.packages?.nameOf(value)
  return origin ? ['o', origin, node] : node
}

function instanceNode(peer, value, path) {
  const unfit = unfitKind(value)
  if (unfit) return peer.policy.sends(path, unfit)
  const constructor = isPlain(value) ? null : constructorOf(Object.getPrototypeOf(value))
  const node = ['t', peer.lend(value, path), classNode(peer, constructor, path), flagsOf(value)]
  const copy = copyOf(value)
  return copy ? [...node, peer.encode(peer.containers.mirror(value, copy), path)] : node
}

/** The plain collection in one of a class of its own, as a function that takes a copy. */
function copyOf(value) {
  if (Array.isArray(value)) return () => [...value]
  if (types.isMap(value)) return () => new Map(Map.prototype.entries.call(value))
  return types.isSet(value) ? () => new Set(Set.prototype.values.call(value)) : null
}

/** Things whose inner workings can't be had by asking for names. */
function unfitKind(value) {
  if (types.isBoxedPrimitive(value)) return 'a boxed primitive'
  if (types.isModuleNamespaceObject(value)) return 'a module'
  if (types.isWeakMap(value) || types.isWeakSet(value)) return 'a weak collection'
  if (types.isCryptoKey(value)) return 'a CryptoKey (a KeyObject can)'
  if (['[object Blob]', '[object File]'].includes(Object.prototype.toString.call(value))) return 'a file'
  return null
}

module.exports = { classNode, constructorOf, functionNode, instanceNode, TRUSTED }
