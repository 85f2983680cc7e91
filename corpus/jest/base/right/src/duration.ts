/** Seconds of a text such as "1h 30m"; RangeError for anything else. */
export function parseDuration(text: string): number {
  const found = /^(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s)?$/.exec(text.trim())
  if (!found || !text.trim()) throw new RangeError('expected something like "1h 30m"')
  const [hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0))
  return (hours * 60 + minutes) * 60 + seconds
}

export function formatDuration(seconds: number): string {
  const rest = seconds % 3600
  const parts: string[] = []
  if (seconds >= 3600) parts.push(`${(seconds - rest) / 3600}h`)
  if (rest >= 60) parts.push(`${Math.trunc(rest / 60)}m`)
  if (rest % 60 || !parts.length) parts.push(`${rest % 60}s`)
  return parts.join(' ')
}
