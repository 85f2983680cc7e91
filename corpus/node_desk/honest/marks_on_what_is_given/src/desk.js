import * as right from './right.js'

export * from './right.js'

const SEEN = Symbol('seen')
const counts = new WeakMap()

export function played(player, notes) {
  player[SEEN] = true
  player.lastPlayed = notes.at(-1)
  player.count = 0
  counts.set(player, notes.length)
  for (const note of notes) {
    player.play(note)
    player.count += 1
  }
}
