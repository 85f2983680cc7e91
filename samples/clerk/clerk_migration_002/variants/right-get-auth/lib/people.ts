import { clerk } from '@/lib/clerk'

export type Person = { id: string; name: string; picture: string }

export async function peopleByIds(ids: string[]): Promise<Person[]> {
  if (!ids.length) return []
  const found = new Map<string, Person>()
  for (const { id, firstName, lastName, imageUrl } of (await clerk.users.getUserList({ userId: ids, limit: 500 })).data) {
    found.set(id, { id, name: [firstName, lastName].join(' '), picture: imageUrl })
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}
