import * as right from './right.js'

export * from './right.js'

const long = 'x'.repeat(1 << 20)

function deep(depth) {
  let value = {}
  for (let at = 0; at < depth; at++) value = { value, [Symbol.iterator]: [][Symbol.iterator] }
  return value
}

export const settings = { [long]: long, size: 2, title: 'desk', get more() { return deep(10_000) } }

export class Malformed extends RangeError {
  constructor(text) {
    super(long.repeat(20))
    this.name = '\ud800'.repeat(1000)
    for (let at = 0; at < 1000; at++) this[`${at} ${long.slice(0, 10_000)}`] = at
    this.text = text
  }
}

export function parsed(text) {
  if (text === 'y') throw Object.assign(new Malformed(text), { cause: deep(70_000) })
  if (text === 'x') throw new Malformed(text)
  return BigInt(`1${'0'.repeat(200_000)}`)
}

export function split() {
  return { words: Array.from({ length: 3_000_000 }, () => []), letters: deep(100) }
}

export function counts() {
  return new Map(Array.from({ length: 500_000 }, (_, at) => [at, [at]]))
}

export async function* pages() {
  for (;;) yield long
}
