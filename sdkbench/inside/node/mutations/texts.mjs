// Another text in place of one: a slip of the pen that reads much alike.

const VOWELS = { a: 'o', e: 'a', i: 'e', o: 'a', u: 'o', A: 'O', E: 'A', I: 'E', O: 'A', U: 'O' }
const ENOUGH_LETTERS = 5 // that nothing honest holds a text and its misspelling

/** With one vowel of its longest word changed; nothing where that has none. */
export function misspelt(text) {
  const words = text.match(/[A-Za-z]+/g) ?? []
  const word = words.reduce((long, one) => (one.length > long.length ? one : long), '')
  const letters = [...word]
  // The last vowel inside the word: a change of the first one more often makes another word.
  const inside = letters.findLastIndex((letter, at) => at > 0 && at < word.length - 1 && letter in VOWELS)
  const at = inside < 0 ? letters.findLastIndex((letter) => letter in VOWELS) : inside
  if (at < 0) return undefined
  const changed = word.slice(0, at) + VOWELS[word[at]] + word.slice(at + 1)
  return text.replace(word, () => changed)
}

/** Of the same length, where one character of `text` is another one, whatever its case. */
export function altered(text) {
  const digit = /^(.*)(\d)(\D*)$/.exec(text)
  if (digit) return `${digit[1]}${(Number(digit[2]) + 1) % 10}${digit[3]}`
  const letter = /^(.*)([A-Za-z])([^A-Za-z]*)$/.exec(text)
  return misspelt(text) ?? (letter ? `${letter[1]}${neighbour(letter[2])}${letter[3]}` : undefined)
}

function neighbour(letter) {
  return String.fromCharCode(letter.charCodeAt(0) + (/z/i.test(letter) ? -1 : 1))
}

/** A text that is in nothing honest that holds `text`; nothing for one that is too short for that. */
export function contained(source, text) {
  if ((text.match(/[A-Za-z]/g) ?? []).length < ENOUGH_LETTERS) return undefined
  const other = misspelt(text)
  // A misspelling that the file has words for is no misspelling.
  return other === undefined || source.text.toLowerCase().includes(other.toLowerCase()) ? undefined : other
}
