import { clerkClient } from '@clerk/nextjs'

export interface Person {
  id: string
  name: string
  picture: string
}

/** These people, in the order of the ids. Ids that Clerk doesn't know are left out. */
export async function peopleByIds(ids: string[]): Promise<Person[]> {
  if (ids.length === 0) return []
  const users = await clerkClient.users.getUserList({ userId: ids, limit: ids.length })
  const people = users.map((user) => ({
    id: user.id,
    name: `${user.firstName} ${user.lastName}`,
    picture: user.profileImageUrl,
  }))
  return people.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}
