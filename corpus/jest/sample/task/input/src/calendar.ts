export type Span = [number, number]

/** Spans in order, those that overlap or touch made one. */
export function merge(spans: Span[]): Span[] {
  throw new Error(`Not implemented: ${spans}`)
}

/** The hours of one day. */
export class Calendar {
  /** Whether the hours were free; if so, they now are not. */
  book(start: number, end: number, title: string): boolean {
    throw new Error(`Not implemented: ${start}, ${end}, ${title}`)
  }

  titles(): string[] {
    throw new Error('Not implemented')
  }

  /** The first hour at or after `from` that begins so many free hours. */
  async nextFree(hours: number, from: number): Promise<number> {
    throw new Error(`Not implemented: ${hours}, ${from}`)
  }
}
