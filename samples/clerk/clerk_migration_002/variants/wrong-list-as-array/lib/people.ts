// Wrong: still takes getUserList() for an array; a cast silences the compiler.
import { clerkClient, type User } from '@clerk/nextjs/server'

export interface Person {
  id: string
  name: string
  picture: string
}

/** These people, in the order of the ids. Ids that Clerk doesn't know are left out. */
export async function peopleByIds(ids: string[]): Promise<Person[]> {
  if (ids.length === 0) return []
  const client = await clerkClient()
  const users = (await client.users.getUserList({ userId: ids, limit: ids.length })) as unknown as User[]
  const people = users.map((user) => ({
    id: user.id,
    name: `${user.firstName} ${user.lastName}`,
    picture: user.imageUrl,
  }))
  return people.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}
