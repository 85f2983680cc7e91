// Frames of the wire between tests and solution: four bytes of length, then JSON that is made of
// arrays and scalars alone. What comes in is from the solution: everything about it is checked.
'use strict'

const VERSION = 1
const HEAD = 4
const MAX_FRAME = 16 * 1024 * 1024
const MAX_TOTAL = 512 * 1024 * 1024 // of one test file: endless answers must end
const MAX_DEPTH = 200 // of arrays in the text; a nested value takes three of them a level
const MAX_NODES = 2_000_000

/** The other side said what ours never says. */
class ProtocolError extends Error {
  get name() {
    return 'ProtocolError'
  }
}

function pack(tree) {
  const text = Buffer.from(JSON.stringify(tree))
  if (text.length > MAX_FRAME) throw new RangeError(`a value of ${text.length} bytes is too large to cross (most: ${MAX_FRAME})`)
  const head = Buffer.allocUnsafe(HEAD)
  head.writeUInt32LE(text.length)
  return Buffer.concat([head, text])
}

/** Cuts a stream of bytes into frames. */
class Splitter {
  #chunks = []
  #size = 0
  #total = 0

  /** The texts that are complete with this chunk. Raises ProtocolError where a limit is passed. */
  push(chunk) {
    this.#total += chunk.length
    if (this.#total > MAX_TOTAL) throw new ProtocolError('too much was sent')
    this.#chunks.push(chunk)
    this.#size += chunk.length
    const frames = []
    for (let length = this.#next(); length !== null && this.#size >= HEAD + length; length = this.#next()) {
      frames.push(this.#take(HEAD + length).subarray(HEAD))
    }
    return frames
  }

  #next() {
    if (this.#size < HEAD) return null
    if (this.#chunks[0].length < HEAD) this.#chunks = [Buffer.concat(this.#chunks)]
    const length = this.#chunks[0].readUInt32LE(0)
    if (length > MAX_FRAME) throw new ProtocolError(`a frame of ${length} bytes`)
    return length
  }

  #take(count) {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    this.#chunks = all.length > count ? [all.subarray(count)] : []
    this.#size -= count
    return all.subarray(0, count)
  }
}

/** The tree of a frame's text: arrays, strings, finite numbers, booleans and null, not too many. */
function parse(text) {
  let tree
  try {
    tree = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'))
  } catch {
    throw new ProtocolError('a frame that is no JSON')
  }
  if (!Array.isArray(tree)) throw new ProtocolError('a frame that is no array')
  let count = 0
  const visit = (node, depth) => {
    if (++count > MAX_NODES) throw new ProtocolError('a value of too many parts')
    if (Array.isArray(node)) {
      if (depth > MAX_DEPTH) throw new ProtocolError('a value that is nested too deeply')
      for (const part of node) visit(part, depth + 1)
    } else if (node !== null && typeof node === 'object') throw new ProtocolError('an object in a frame')
    else if (typeof node === 'number' && !Number.isFinite(node)) throw new ProtocolError('a number that is none')
  }
  visit(tree, 0)
  return tree
}

module.exports = { VERSION, ProtocolError, pack, parse, Splitter }
