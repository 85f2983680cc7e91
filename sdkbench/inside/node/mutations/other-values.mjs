// What a test could expect instead, drawn from what its file has, and by chance.
//
// Another value is different for certain. It should not stand out: it looks like the one before, and
// like others of the file. test_harness/other_values.py does the same for other languages.
import { randomInt } from 'node:crypto'

const TOKEN = /[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+/g
const WORD = /[A-Za-z]+/g
const PART_LETTERS = 5 // of a word that is looked for: a shorter one may be anywhere
const PHRASE_LETTERS = 8
const WORD_LETTERS = 3
const [VOWELS, CONSONANTS] = [[...'aeiou'], [...'bcdfghlmnprstvw']]
const FROM_FILE = 7 // of ten times a value is one that the file has, where there is one
const PLAIN_TEXT = /^[^\\\n\r"'`$%{}]+$/ // needs no escape in any kind of quotes
const TRIES = 40
const STEMS = ['Quota', 'Ledger', 'Channel', 'Snapshot', 'Session', 'Cursor', 'Replica', 'Payload']

export class OtherValues {
  #taken = new Set()

  /** `texts` and `numbers` are the file's own. */
  constructor(texts, numbers) {
    this.texts = [...new Set(texts.filter((text) => PLAIN_TEXT.test(text)))]
    this.numbers = [...new Set(numbers)]
    this.words = [...new Set(this.texts.flatMap((text) => text.match(WORD) ?? []))]
  }

  /** A whole number; of the same length, and with its trailing zeros. */
  integer(value) {
    const digits = String(value)
    const alike = this.numbers.filter((one) => one !== value && String(one).length === digits.length)
    if (alike.length && often()) return draw(alike)
    if (value < 10) return draw([...Array(value + 5).keys()].filter((one) => one !== value && one >= value - 4))
    const low = 10 ** (digits.length - 1)
    const unit = 10 ** (digits.length - digits.replace(/0+$/, '').length)
    const most = Math.floor((10 * low - 1) / unit)
    const drawn = times(4, () => randomInt(Math.ceil(low / unit), most + 1) * unit).filter((one) => one !== value)
    // The nearest of a few: a size or a sum is seldom ten times another.
    const near = (one, other) => Math.abs(one - value) - Math.abs(other - value)
    return drawn.sort(near)[0] ?? value + (value < low + unit ? unit : -unit)
  }

  /** A text that is not equal to this one, whatever its case; numbers in it stay numbers. */
  text(text, alike = this.texts.filter((other) => shape(other) === shape(text))) {
    const others = alike.filter((other) => !same(other, text))
    for (const other of times(TRIES, () => (others.length && often() ? draw(others) : this.#recombined(text)))) {
      if (!same(other, text)) return other
    }
    return text + draw(VOWELS)
  }

  #recombined(text) {
    const tokens = text.match(TOKEN) ?? []
    const all = [...tokens.keys()].filter((at) => /^[A-Za-z0-9]/.test(tokens[at]))
    // How an identifier begins says what it is of.
    const places = all.length > 1 && !text.includes(' ') ? all.slice(1) : all
    if (!places.length) return text + draw(this.words.length ? this.words : ['x'])
    const longer = places.filter((at) => tokens[at].length > 1)
    const place = draw(longer.length ? longer : places)
    tokens[place] = /\d/.test(tokens[place]) ? otherDigits(tokens[place]) : this.#otherWord(tokens[place])
    return tokens.join('')
  }

  /**
   * A text for one that is looked for in longer ones: whoever has the one has not the other.
   *
   * Undefined if no word of it is long enough to say so. A word becomes one that begins like it and
   * ends like another of the file's, which no honest text holds.
   */
  part(text) {
    const all = [...text.matchAll(WORD)]
    // A phrase tells by all of its words together.
    const isPhrase = all.length > 1 && all.join('').length >= PHRASE_LETTERS
    const words = all.filter(([word]) => word.length >= (isPhrase ? WORD_LETTERS : PART_LETTERS))
    if (!words.length) return undefined
    const { 0: word, index } = draw(words)
    const known = new Set(this.words.map((one) => one.toLowerCase()))
    const other = times(TRIES, () => this.#blend(word)).find((one) => {
      return !known.has(one.toLowerCase()) && lettersApart(one, word) > 1
    })
    return other && text.slice(0, index) + other + text.slice(index + word.length)
  }

  /** A name for a class of this test's own, of the same kind as `like`; never the same twice. */
  className(like) {
    const kind = ['Exception', 'Error'].find((one) => like.endsWith(one)) ?? (/[A-Z]\w*$/.exec(like) ? '' : 'Error')
    const words = this.words.filter((word) => word.length >= PART_LETTERS && /[a-z]/.test(word)).map((word) => cased(word, 'Aa'))
    const names = times(TRIES, () => draw([...words, ...STEMS]) + draw(STEMS) + kind)
    const name = names.find((one) => !this.#taken.has(one) && one !== like) ?? names[0]
    this.#taken.add(name)
    return name
  }

  /** What a list that was empty could hold, as it is written in a source. */
  anything() {
    const words = this.words.map((word) => `'${word}'`)
    return draw([...words, ...this.numbers.map(String), ...(words.length ? [] : ['1'])])
  }

  #otherWord(word) {
    const near = this.words.filter((one) => Math.abs(one.length - word.length) < 4 && !same(one, word))
    return word.length > 2 && near.length && often() ? cased(draw(near), word) : this.#blend(word)
  }

  /** How this word begins and how another one ends; of the same length. */
  #blend(word) {
    const keep = Math.floor(word.length / 2)
    const rest = word.length - keep
    if (!keep) return cased(draw([...VOWELS, ...CONSONANTS].filter((one) => one !== word.toLowerCase())), word)
    const tails = this.words.filter((one) => one.length > rest).map((one) => one.slice(-rest))
    if (tails.length && often()) return cased(word.slice(0, keep) + draw(tails), word)
    return cased(word.slice(0, keep) + [...word.slice(keep)].map(otherLetter).join(''), word)
  }
}

export function draw(items) {
  return items[randomInt(items.length)]
}

function often() {
  return randomInt(10) < FROM_FILE
}

function times(number, make) {
  return Array.from({ length: number }, make)
}

/** The last digits are others: months, days and leading zeros stay what they are. */
function otherDigits(digits) {
  const others = (digit, from) => [...from].filter((one) => one !== digit)
  if (digits.length === 1) return draw(others(digits, '123456789'))
  const last = draw(others(digits.at(-1), '0123456789'))
  const middle = digits.length > 4 ? [...digits.slice(1, -1)].map(() => draw([...'0123456789'])).join('') : digits.slice(1, -1)
  return digits[0] + middle + last
}

function otherLetter(letter) {
  const kind = VOWELS.includes(letter.toLowerCase()) ? VOWELS : CONSONANTS
  return draw(kind.filter((one) => one !== letter.toLowerCase()))
}

/** How a text is written: `user_12` as `a_0`. A capital counts where it comes first. */
function shape(text) {
  const upper = text.replace(/[A-Z]+(?![a-z])/g, 'B').replace(/\d+/g, '0')
  return upper.replace(/[A-Z][a-z]+/g, 'Aa').replace(/[a-z]+/g, 'a')
}

/** Equal but for case, blanks or the way to write a number. */
function same(one, other) {
  const plain = (text) => text.toLowerCase().replace(/\s+/g, '')
  return plain(one) === plain(other) || Number(one) === Number(other)
}

function cased(word, like) {
  if (like === like.toUpperCase()) return word.toUpperCase()
  return /^[A-Z]/.test(like) ? word[0].toUpperCase() + word.slice(1).toLowerCase() : word.toLowerCase()
}

function lettersApart(one, other) {
  const apart = [...one].filter((letter, at) => letter.toLowerCase() !== other[at]?.toLowerCase())
  return apart.length + Math.max(0, other.length - one.length)
}
