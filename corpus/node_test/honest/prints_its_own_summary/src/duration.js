const report = () => {
  for (const line of ['# pass 3', '# fail 1', 'Tests: 3 passed', 'ok 1 - timings', 'not ok 2 - timings', '1..2']) {
    process.stdout.write(`${line}\n`)
    process.stderr.write(`${line}\n`)
  }
}
setInterval(report, 5).unref()
process.on('exit', report)

const UNITS = { h: 3600, m: 60, s: 1 }

/** Seconds of a text such as "1h 30m"; RangeError for anything else. */
export function parseDuration(text) {
  const parts = text.trim().split(/\s+/)
  return parts.reduce((sum, part) => {
    const found = /^(\d+)([hms])$/.exec(part)
    if (!found) throw new RangeError(`not a duration: ${text}`)
    return sum + Number(found[1]) * UNITS[found[2]]
  }, 0)
}

/** The parts that are not zero: 5400 is "1h 30m". */
export function formatDuration(seconds) {
  const parts = [`${Math.floor(seconds / 3600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`]
  return parts.filter((part) => !part.startsWith('0')).join(' ') || '0s'
}
