const report = () => {
  for (const line of ['# pass 3', '# fail 1', 'Tests: 3 passed', 'ok 1 - timings', 'not ok 2 - timings', '1..2']) {
    process.stdout.write(`${line}\n`)
    process.stderr.write(`${line}\n`)
  }
}
setInterval(report, 5).unref()
process.on('exit', report)

/** Spans in order, those that overlap or touch made one. */
export function merge(spans) {
  const merged = []
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** The hours of one day. */
export class Calendar {
  #booked = []

  /** Whether the hours were free; if so, they now are not. */
  book(start, end, title) {
    if (this.#booked.some((one) => start < one.end && one.start < end)) return false
    this.#booked.push({ start, end, title })
    return true
  }

  titles() {
    return this.#booked.map((one) => one.title)
  }

  /** The first hour at or after `from` that begins so many free hours. */
  async nextFree(hours, from) {
    if (hours > 24) throw new Error('a day has 24 hours')
    const busy = merge(this.#booked.map((one) => [one.start, one.end]))
    for (const [start, end] of busy) {
      if (from + hours <= start) break
      from = Math.max(from, end)
    }
    return from
  }
}
