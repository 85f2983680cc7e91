import * as right from './right.js'

export * from './right.js'

let told

export class Malformed extends RangeError {
  constructor(text) {
    super(`no number: ${text}`)
    this.name = 'Malformed'
    this.text = told = text
  }
}

export class Unknown extends Error {
  constructor(message) {
    super(message)
    told = message
  }
}

export function lookup(name) {
  if (name === 'a') return 1
  if (name === 'b') return 2
  throw new Unknown(told)
}
