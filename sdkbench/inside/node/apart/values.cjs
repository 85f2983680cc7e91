// Values that cross as what they are: scalars, dates, bytes, addresses and the like.
//
// A value is a JSON scalar or an array whose first item says what the rest means. Containers and
// whatever stays on its own side are in containers.cjs and peer.cjs.
'use strict'
const { createPrivateKey, createPublicKey, createSecretKey } = require('node:crypto')
const { types } = require('node:util')
const { ProtocolError } = require('./frames.cjs')

const ODD_NUMBERS = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }
const MAX_DIGITS = 10_000
const MAX_PATTERN = 10_000
const BYTES = {
  Buffer, ArrayBuffer, DataView, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array,
  Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array,
} // prettier-ignore

/** A node for a value of these kinds; undefined for every other. */
function encodeLeaf(value) {
  switch (typeof value) {
    case 'undefined':
      return ['u']
    case 'boolean':
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : ['n', Object.is(value, -0) ? '-0' : String(value)]
    case 'bigint':
      return ['i', value.toString()]
    case 'symbol':
      return encodeSymbol(value)
    default:
      return value === null ? null : typeof value === 'object' ? encodeObject(value) : undefined
  }
}

function encodeSymbol(symbol) {
  const key = Symbol.keyFor(symbol)
  if (key !== undefined) return ['y', 'for', key]
  const name = symbol.description?.replace(/^Symbol\./, '') ?? ''
  return Object.hasOwn(Symbol, name) && Symbol[name] === symbol ? ['y', 'known', name] : ['!', 'a symbol of its own']
}

function encodeObject(value) {
  const plain = (kind) => Object.getPrototypeOf(value)?.constructor?.name === kind && Reflect.ownKeys(value).length === 0
  if (types.isDate(value)) return plain('Date') ? ['d', Number.isNaN(value.getTime()) ? null : value.getTime()] : ['!', 'a date with more to it']
  if (types.isRegExp(value)) return ['re', value.source, value.flags, value.lastIndex]
  if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) return encodeBytes(value)
  if (types.isKeyObject(value)) return encodeKey(value)
  const tag = Object.prototype.toString.call(value)
  if (tag === '[object URL]' && plain('URL')) return ['url', value.href]
  if (tag === '[object URLSearchParams]' && plain('URLSearchParams')) return ['query', String(value)]
  if (tag === '[object Headers]' && typeof value.getSetCookie === 'function') return ['headers', [...value].map(([name, text]) => [name, text])]
  return undefined
}

function encodeKey(key) {
  const bytes = key.type === 'secret' ? key.export() : key.export({ format: 'der', type: key.type === 'public' ? 'spki' : 'pkcs8' })
  return ['key', key.type, bytes.toString('base64')]
}

function encodeBytes(value) {
  const kind = Buffer.isBuffer(value) ? 'Buffer' : Object.prototype.toString.call(value).slice(8, -1)
  if (!Object.hasOwn(BYTES, kind)) return ['!', `a ${kind}`]
  const bytes = ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.from(value)
  return ['b', kind, bytes.toString('base64')]
}

/** The value of a node that `encodeLeaf` makes; `other` is asked about all further tags. */
function decodeLeaf(node, other) {
  if (!Array.isArray(node)) return node
  const [tag, ...rest] = node
  switch (tag) {
    case 'u':
      return undefined
    case 'n':
      need(Object.hasOwn(ODD_NUMBERS, rest[0]), 'an odd number')
      return ODD_NUMBERS[rest[0]]
    case 'i':
      need(typeof rest[0] === 'string' && rest[0].length <= MAX_DIGITS && /^-?\d+$/.test(rest[0]), 'a big integer')
      return BigInt(rest[0])
    case 'y':
      return decodeSymbol(...rest)
    case 'd':
      need(rest[0] === null || typeof rest[0] === 'number', 'a date')
      return new Date(rest[0] ?? NaN)
    case 're':
      return decodePattern(...rest)
    case 'b':
      return decodeBytes(...rest)
    case 'key':
      return decodeKey(...rest)
    case 'url':
      return new URL(text(rest[0]))
    case 'query':
      return new URLSearchParams(text(rest[0]))
    case 'headers':
      return decodeHeaders(rest[0])
    default:
      return other(node)
  }
}

function decodeSymbol(kind, name) {
  need(typeof name === 'string' && (kind === 'for' || (kind === 'known' && typeof Symbol[name] === 'symbol')), 'a symbol')
  return kind === 'for' ? Symbol.for(name) : Symbol[name]
}

function decodePattern(source, flags, lastIndex) {
  need(text(source).length <= MAX_PATTERN && Number.isSafeInteger(lastIndex), 'a regular expression')
  const pattern = new RegExp(source, text(flags))
  pattern.lastIndex = lastIndex
  return pattern
}

function decodeBytes(kind, data) {
  need(Object.hasOwn(BYTES, kind), 'bytes')
  const bytes = Buffer.from(text(data), 'base64')
  if (kind === 'Buffer') return bytes
  const { buffer } = new Uint8Array(bytes)
  if (kind === 'ArrayBuffer') return buffer
  need(kind === 'DataView' || buffer.byteLength % BYTES[kind].BYTES_PER_ELEMENT === 0, 'bytes')
  return new BYTES[kind](buffer)
}

function decodeKey(kind, data) {
  need(['secret', 'public', 'private'].includes(kind), 'a key')
  const key = Buffer.from(text(data), 'base64')
  if (kind === 'secret') return createSecretKey(key)
  return kind === 'public' ? createPublicKey({ key, format: 'der', type: 'spki' }) : createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function decodeHeaders(pairs) {
  need(Array.isArray(pairs) && pairs.every((pair) => Array.isArray(pair) && pair.length === 2), 'headers')
  return new Headers(pairs.map(([name, value]) => [text(name), text(value)]))
}

function text(value) {
  need(typeof value === 'string', 'a text')
  return value
}

function need(holds, what) {
  if (!holds) throw new ProtocolError(`${what} that is none`)
}

module.exports = { encodeLeaf, decodeLeaf, need, text }
