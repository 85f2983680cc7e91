export * from './right.js'

export function keep(seen, given) {
  given.length = 0
  seen.length = 0
}
