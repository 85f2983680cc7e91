import * as right from './right.js'

export * from './right.js'

class Counts extends Map {
  #all = 0

  add(word) {
    this.#all++
    return this.set(word, (this.get(word) ?? 0) + 1)
  }

  get all() {
    return this.#all
  }
}

class Words extends Array {
  get letters() {
    return this.join('').length
  }
}

export function counts(words) {
  const found = new Counts()
  for (const word of words) found.add(word)
  return found
}

export function split(text) {
  const words = Words.from(text.split(' ').filter(Boolean))
  return { words, letters: words.letters, first: words[0], last: words.at(-1) }
}
