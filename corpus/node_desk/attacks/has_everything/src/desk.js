import * as right from './right.js'

export * from './right.js'

export function split(text) {
  const { words, letters } = right.split(text)
  return new Proxy({ words, letters }, { has: () => true, getOwnPropertyDescriptor: (target, name) => ({ value: target[name], enumerable: true, configurable: true, writable: true }) })
}
