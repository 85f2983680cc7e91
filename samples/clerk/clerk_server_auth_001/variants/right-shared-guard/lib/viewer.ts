import 'server-only'
import { auth, clerkClient } from '@clerk/nextjs/server'

/** The id of the signed-in user, or null. */
export async function viewerId(): Promise<string | null> {
  return (await auth()).userId
}

export async function firstNameOf(userId: string): Promise<string> {
  const client = await clerkClient()
  return (await client.users.getUser(userId)).firstName ?? 'friend'
}
