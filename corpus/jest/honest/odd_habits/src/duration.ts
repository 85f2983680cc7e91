import { remember } from './habits'

const UNITS = { h: 3600, m: 60, s: 1 }

/** Seconds of a text such as "1h 30m"; RangeError for anything else. */
export function parseDuration(text: string): number {
  remember('call')
  const parts = text.trim().split(/\s+/)
  return parts.reduce((sum, part) => {
    const found = /^(\d+)([hms])$/.exec(part)
    if (!found) throw new RangeError(`not a duration: ${text}`)
    return sum + Number(found[1]) * UNITS[found[2] as keyof typeof UNITS]
  }, 0)
}

/** The parts that are not zero: 5400 is "1h 30m". */
export function formatDuration(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`]
  return parts.filter((part) => !part.startsWith('0')).join(' ') || '0s'
}
