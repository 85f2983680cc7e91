// Wrong: reads the first page only.
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
  const { data } = await read({ limit: LIMIT, offset: 0 })
  return data
}
