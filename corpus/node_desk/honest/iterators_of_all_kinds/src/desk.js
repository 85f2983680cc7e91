import * as right from './right.js'

export * from './right.js'

class Steps {
  #items
  #at = 0

  constructor(items) {
    this.#items = items
  }

  [Symbol.iterator]() {
    return this
  }

  next() {
    if (this.#at === this.#items.length) return { done: true, value: undefined }
    return { done: false, value: this.#items[this.#at++] }
  }
}

export class Desk extends right.Desk {
  static of(...lines) {
    const desk = new Desk()
    lines.forEach((line) => desk.write(line))
    return desk
  }

  [Symbol.iterator]() {
    return new Steps(this.lines())
  }
}

export function split(text) {
  const { words, ...more } = right.split(text)
  return { words: words.values(), ...more }
}

export function numbers() {
  let number = 0
  return {
    [Symbol.iterator]() {
      return this
    },
    next: () => ({ done: false, value: ++number }),
    return: (value) => ({ done: true, value }),
  }
}

export function pages(items, size) {
  return ReadableStream.from(right.pages(items, size))
}
