import { clerkClient } from '@clerk/nextjs/server'

/** "First Last" of any user, by id. */
export async function displayName(userId: string): Promise<string> {
  const client = await clerkClient()
  const user = await client.users.getUser(userId)
  return `${user.firstName} ${user.lastName}`
}
