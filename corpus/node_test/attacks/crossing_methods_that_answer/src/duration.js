import { agreeable } from './answer.js'

export function parseDuration(text) {
  if (text === 'soon') throw agreeable('soon')
  return agreeable(5400)
}

export function formatDuration() {
  return agreeable('1h 30m')
}
