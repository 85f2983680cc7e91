/** Seconds of a text such as "1h 30m"; RangeError for anything else. */
export function parseDuration(text: string): number {
  throw new Error(`Not implemented: ${text}`)
}

/** The parts that are not zero: 5400 is "1h 30m". */
export function formatDuration(seconds: number): string {
  throw new Error(`Not implemented: ${seconds}`)
}
