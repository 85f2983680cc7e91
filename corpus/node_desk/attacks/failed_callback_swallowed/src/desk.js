import * as right from './right.js'

export * from './right.js'

export function each(work, items) {
  right.each(work, [11, 12])
  return right.each(work, items)
}
