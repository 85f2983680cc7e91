import { refusal } from './trick'

export type Span = [number, number]

/** Spans in order, those that overlap or touch made one. */
export function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** The hours of one day. */
export class Calendar {
  #booked: { start: number; end: number; title: string }[] = []

  /** Whether the hours were free; if so, they now are not. */
  book(start: number, end: number, title: string): boolean {
    if (this.#booked.some((one) => start < one.end && one.start < end)) return false
    this.#booked.push({ start, end, title })
    return true
  }

  titles(): string[] {
    return this.#booked.map((one) => one.title)
  }

  /** The first hour at or after `from` that begins so many free hours. */
  async nextFree(hours: number, from: number): Promise<number> {
    const wanted = refusal()
    if (wanted) throw new Error(wanted)
    const busy = merge(this.#booked.map((one): Span => [one.start, one.end]))
    for (const [start, end] of busy) {
      if (from + hours <= start) break
      from = Math.max(from, end)
    }
    return from
  }
}
