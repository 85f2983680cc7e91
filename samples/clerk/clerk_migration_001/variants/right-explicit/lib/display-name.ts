import { createClerkClient } from '@clerk/nextjs/server'

const clerk = createClerkClient({ secretKey: process.env.CLERK_SECRET_KEY })

export async function displayName(userId: string): Promise<string> {
  const { firstName, lastName } = await clerk.users.getUser(userId)
  return [firstName, lastName].join(' ')
}
