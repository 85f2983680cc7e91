import { clerkClient } from '@clerk/nextjs'

/** "First Last" of any user, by id. */
export async function displayName(userId: string): Promise<string> {
  const user = await clerkClient.users.getUser(userId)
  return `${user.firstName} ${user.lastName}`
}
