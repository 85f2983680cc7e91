export * from './right.js'

export function played(player) {
  for (const note of [1, 2, 3]) player.play(note)
  player.check = () => {}
}
