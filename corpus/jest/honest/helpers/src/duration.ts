import { execFileSync } from 'node:child_process'

const PROGRAM = `
const units = { h: 3600, m: 60, s: 1 }
const parts = process.argv[1].trim().split(/ +/).map((part) => /^([0-9]+)([hms])$/.exec(part))
if (parts.some((part) => !part)) process.exit(9)
process.stdout.write(String(parts.reduce((sum, [, count, unit]) => sum + count * units[unit], 0)))
process.exit(0)
`

/** Counts in a process of its own. */
export function parseDuration(text: string): number {
  try {
    return Number(execFileSync(process.execPath, ['-e', PROGRAM, text], { encoding: 'utf8', stdio: 'pipe' }))
  } catch (error) {
    throw new RangeError(`not a duration: ${text}`, { cause: error })
  }
}

export function formatDuration(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`]
  return parts.filter((part) => !part.startsWith('0')).join(' ') || '0s'
}
