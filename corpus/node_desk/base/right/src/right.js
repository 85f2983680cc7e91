import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A text that is no number; `text` is what it was. */
export class Malformed extends RangeError {
  constructor(text) {
    super(`no number: ${text}`)
    this.name = 'Malformed'
    this.text = text
  }
}

/** Nobody knows that name. */
export class Unknown extends Error {}

export const settings = Object.freeze({ size: 2, title: 'desk' })

/** Notes that come in one after the other. */
export class Desk {
  static limit = 3
  #lines = []

  static of(...lines) {
    const desk = new Desk()
    for (const line of lines) desk.write(line)
    return desk
  }

  /** How many notes there are then; a RangeError beyond the limit. */
  write(line) {
    if (this.#lines.length === Desk.limit) throw new RangeError('the desk is full')
    return this.#lines.push(line)
  }

  get size() {
    return this.#lines.length
  }

  lines() {
    return [...this.#lines]
  }

  /** The notes, one by one. */
  *[Symbol.iterator]() {
    yield* this.#lines
  }
}

/** The words, how many letters they have together, and the first and the last of them. */
export function split(text) {
  const words = text.split(' ').filter(Boolean)
  return { words, letters: words.join('').length, first: words[0], last: words.at(-1) }
}

export function parsed(text) {
  if (!/^-?\d+$/.test(text)) throw new Malformed(text)
  return Number(text)
}

/** What a name stands for; Unknown with the message "who is NAME?" for any but "a" and "b". */
export function lookup(name) {
  if (name === 'a') return 1
  if (name === 'b') return 2
  throw new Unknown(`who is ${name}?`)
}

/** `seen` becomes what is given, sorted; `given` stays as it is. */
export function keep(seen, given) {
  seen.splice(0, seen.length, ...[...given].sort((a, b) => a - b))
}

export function total(given) {
  return given.reduce((sum, each) => sum + each, 0)
}

/** What `work` makes of each item; items for which it throws are left out. */
export function each(work, items) {
  const done = []
  for (const item of items) {
    try {
      done.push(work(item))
    } catch {
      continue
    }
  }
  return done
}

/** Plays the notes on the player, by its `play(note)`. */
export function played(player, notes) {
  for (const note of notes) player.play(note)
}

/** The items in pages of that size. */
export async function* pages(items, size) {
  for (let at = 0; at < items.length; at += size) {
    await null
    yield items.slice(at, at + size)
  }
}

/** 1, 2, 3 and so on for ever. */
export function* numbers() {
  for (let number = 1; ; number++) yield number
}

/** How often there is each word. */
export function counts(words) {
  const found = new Map()
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

/** A promise of twice the number, or of a TypeError. */
export async function doubled(number) {
  if (typeof number !== 'number') throw new TypeError('not a number')
  return 2 * number
}

let user

/** `work` is asynchronous; while it runs, `currentUser()` is that user. */
export async function withUser(name, work) {
  const before = user
  user = name
  try {
    return await work()
  } finally {
    user = before
  }
}

export function currentUser() {
  return user
}

/** An emitter of a `line` event for each line of the text, once somebody calls `start()`. */
export class Reader extends EventEmitter {
  constructor(text) {
    super()
    this.text = text
  }

  start() {
    for (const line of this.text.split('\n')) this.emit('line', line)
    return this
  }
}

/** A response of `{"echo": …}` with what the request has as its JSON, or of status 400. */
export async function answer(request) {
  try {
    return Response.json({ echo: await request.json() }, { headers: { 'x-desk': '1' } })
  } catch {
    return new Response('no JSON', { status: 400 })
  }
}

/** Waits until the signal says stop, and rejects with its reason. */
export async function until(signal) {
  await sleep(5_000, undefined, { signal }).catch((error) => {
    throw error.cause ?? error
  })
}
