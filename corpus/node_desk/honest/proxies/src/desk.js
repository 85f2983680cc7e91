import * as right from './right.js'

export * from './right.js'

const KNOWN = { size: () => 2, title: () => 'desk' }

export const settings = new Proxy({}, {
  get: (_, name) => KNOWN[name]?.(),
  has: (_, name) => name in KNOWN,
  ownKeys: () => Object.keys(KNOWN),
  getOwnPropertyDescriptor: (_, name) => (name in KNOWN ? { value: KNOWN[name](), enumerable: true, configurable: true } : undefined),
})

export const Desk = new Proxy(right.Desk, {
  construct: (target, words, made) => watched(Reflect.construct(target, words, made)),
  get: (target, name) => (name === 'of' ? (...lines) => watched(target.of(...lines)) : Reflect.get(target, name)),
})

function watched(desk) {
  return new Proxy(desk, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export function split(text) {
  const lazy = { words: () => text.split(' '), letters: () => right.split(text).letters, first: () => text.split(' ')[0], last: () => 'bill' }
  return new Proxy({}, { get: (_, name) => lazy[name]?.(), has: (_, name) => name in lazy })
}
