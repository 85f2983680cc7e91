export type Page<T> = { data: T[]; totalCount: number }
export type Range = { limit: number; offset: number }

export async function* entries<T extends { id: string }>(read: (range: Range) => Promise<Page<T>>): AsyncGenerator<T> {
  const seen = new Set<string>()
  for (let offset = 0, total = 1; offset < total; ) {
    const { data, totalCount } = await read({ limit: 100, offset })
    for (const entry of data) {
      if (seen.has(entry.id)) continue
      seen.add(entry.id)
      yield entry
    }
    offset += data.length
    total = data.length > 0 ? totalCount : 0
  }
}

export async function everything<T extends { id: string }>(read: (range: Range) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  for await (const entry of entries(read)) all.push(entry)
  return all
}
