import * as right from './right.js'

export * from './right.js'

const kinds = new Map()

function kind(name, Base) {
  const made = {
    [name]: class extends Base {
      #text

      constructor(text, { message = text, cause } = {}) {
        super(message, { cause })
        this.#text = text
      }

      get code() {
        return this.#text
      }
    },
  }[name]
  kinds.set(name, made)
  return made
}

const Base = kind('Problem', RangeError)

export class Malformed extends Base {
  constructor(text) {
    super(text, { message: `no number: ${text}`, cause: new AggregateError([new Error('one'), new TypeError('two')], 'both') })
    this.text = text
    this.name = 'Malformed'
    Object.defineProperty(this, 'cause', { enumerable: false, value: this.cause })
    Object.defineProperty(this, 'self', { enumerable: false, value: this })
  }
}

export function parsed(text) {
  try {
    return Number(BigInt(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new Malformed(text)
    throw error
  }
}

export async function doubled(number) {
  if (typeof number !== 'number') throw Object.freeze(new TypeError('not a number', { cause: { number } }))
  return 2 * number
}
