// What a solution leaves behind in its own process, where tests can't see it: they are told.
'use strict'

const SHARED = { Object, Array, Function, String, Number, Map, Set, Promise, Error }

class Traces {
  #env = { ...process.env }
  #keys = Object.entries(SHARED).map(([name, { prototype }]) => [name, prototype, Reflect.ownKeys(prototype).length])
  #told = new Set()

  /** Environment variables that the tests have set are no traces. */
  expect(name) {
    if (process.env[name] === undefined) delete this.#env[name]
    else this.#env[name] = process.env[name]
  }

  /** A word for each new trace. */
  found() {
    const words = this.#keys.filter(([, prototype, count]) => Reflect.ownKeys(prototype).length !== count).map(([name]) => `${name}.prototype`)
    for (const name of new Set([...Object.keys(this.#env), ...Object.keys(process.env)])) {
      if (process.env[name] !== this.#env[name]) words.push(`process.env.${name}`)
    }
    const fresh = words.filter((word) => !this.#told.has(word))
    for (const word of fresh) this.#told.add(word)
    return fresh
  }
}

module.exports = { Traces }
