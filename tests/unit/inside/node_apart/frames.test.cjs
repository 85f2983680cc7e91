'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { APART, ProtocolError } = require('./pair.cjs')
const { pack, parse, Splitter } = require(`${APART}/frames.cjs`)

test('frames come out as they went in, however the bytes are cut', () => {
  const trees = [['a'], [1, ['b', null, true]], ['x'.repeat(5000)]]
  const bytes = Buffer.concat(trees.map(pack))
  for (const size of [1, 3, 4, 7, 1000, bytes.length]) {
    const splitter = new Splitter()
    const frames = []
    for (let at = 0; at < bytes.length; at += size) frames.push(...splitter.push(bytes.subarray(at, at + size)))
    assert.deepEqual(frames.map((frame) => parse(frame)), trees)
  }
})

test('a frame of any length that nobody could keep is refused before it is there', () => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(0xffff_ffff)
  assert.throws(() => new Splitter().push(head), ProtocolError)
})

test('more than a test file can want is refused', () => {
  const splitter = new Splitter()
  const frame = pack(['x'.repeat(8 * 1024 * 1024)])
  assert.throws(() => {
    for (let count = 0; count < 100; count += 1) splitter.push(frame)
  }, /too much/)
})

for (const [what, text] of Object.entries({
  'no JSON': '[1',
  'an object': '[{}]',
  'an object deep inside': '[[[["a",{"b":1}]]]]',
  'no array': '"a"',
  'a number that is none': '[1e999]',
  'deep nesting': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  'too many parts': `[${'0,'.repeat(2_000_001)}0]`,
})) {
  test(`${what} is refused`, () => assert.throws(() => parse(Buffer.from(text)), ProtocolError))
}
