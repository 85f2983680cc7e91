// Wrong: clerkClient is still used as an object; a cast silences the compiler.
import { clerkClient } from '@clerk/nextjs/server'

/** "First Last" of any user, by id. */
export async function displayName(userId: string): Promise<string> {
  const client = clerkClient as unknown as Awaited<ReturnType<typeof clerkClient>>
  const user = await client.users.getUser(userId)
  return `${user.firstName} ${user.lastName}`
}
