/** A page of one of Clerk's lists. */
export interface Page<T> {
  data: T[]
  totalCount: number
}

export interface Range {
  limit: number
  offset: number
}

/**
 * All of a list of Clerk's, in its order. It is read in pages of 100, one after the other, and no
 * page is asked for once there are as many as `totalCount` says, or after one without entries.
 * New entries come in at the front: where that moves an entry on to the next page while we read,
 * it is there twice, and given once.
 */
export async function everything<T extends { id: string }>(read: (range: Range) => Promise<Page<T>>): Promise<T[]> {
  throw new Error('TODO')
}
