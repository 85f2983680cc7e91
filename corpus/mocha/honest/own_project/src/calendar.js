export function merge(spans) {
  const [first, ...others] = [...spans].sort((a, b) => a[0] - b[0])
  if (!first) return []
  const [second, ...rest] = others
  if (!second) return [first]
  if (second[0] > first[1]) return [first, ...merge(others)]
  return merge([[first[0], Math.max(first[1], second[1])], ...rest])
}

export class Calendar {
  hours = new Map()

  book(start, end, title) {
    const wanted = Array.from({ length: end - start }, (_unused, index) => start + index)
    if (wanted.some((hour) => this.hours.has(hour))) return false
    for (const hour of wanted) this.hours.set(hour, title)
    return true
  }

  titles() {
    return [...new Set(this.hours.values())]
  }

  async nextFree(hours, from) {
    if (hours > 24) throw new RangeError('a day has 24 hours')
    for (let start = from; ; start++) {
      const wanted = Array.from({ length: hours }, (_unused, index) => start + index)
      if (!wanted.some((hour) => this.hours.has(hour))) return start
    }
  }
}
