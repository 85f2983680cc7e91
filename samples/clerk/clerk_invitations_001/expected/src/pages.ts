/** A page of one of Clerk's lists. */
export interface Page<T> {
  data: T[]
  totalCount: number
}

export interface Range {
  limit: number
  offset: number
}

const LIMIT = 100

/** All of a list of Clerk's, in its order; what a page repeats is given once. */
export async function everything<T extends { id: string }>(read: (range: Range) => Promise<Page<T>>): Promise<T[]> {
  const found = new Map<string, T>()
  let offset = 0
  for (;;) {
    const { data, totalCount } = await read({ limit: LIMIT, offset })
    for (const entry of data) if (!found.has(entry.id)) found.set(entry.id, entry)
    offset += data.length
    if (data.length === 0 || offset >= totalCount) return [...found.values()]
  }
}
