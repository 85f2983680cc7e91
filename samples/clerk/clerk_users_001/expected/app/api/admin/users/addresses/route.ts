import { clerkClient, type User } from '@clerk/nextjs/server'
import { forAdmins } from '@/lib/admin-api'
import { listed } from '@/lib/user-directory'

// The most that Clerk gives at once.
const BATCH = 500

export async function GET(): Promise<Response> {
  return forAdmins(async () => {
    const addresses = (await allUsers()).map((user) => listed(user).email)
    return Response.json({ addresses: addresses.filter((address) => address !== null) })
  })
}

async function allUsers(): Promise<User[]> {
  const client = await clerkClient()
  const users: User[] = []
  for (;;) {
    const { data } = await client.users.getUserList({ limit: BATCH, offset: users.length, orderBy: '+created_at' })
    users.push(...data)
    if (data.length < BATCH) return users
  }
}
