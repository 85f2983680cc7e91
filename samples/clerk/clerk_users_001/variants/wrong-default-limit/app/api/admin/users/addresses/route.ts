// Wrong: asks for all users at once without a limit, so that ten come.
import { clerkClient, type User } from '@clerk/nextjs/server'
import { forAdmins } from '@/lib/admin-api'
import { listed } from '@/lib/user-directory'

export async function GET(): Promise<Response> {
  return forAdmins(async () => {
    const addresses = (await allUsers()).map((user) => listed(user).email)
    return Response.json({ addresses: addresses.filter((address) => address !== null) })
  })
}

async function allUsers(): Promise<User[]> {
  const client = await clerkClient()
  const { data } = await client.users.getUserList({ orderBy: '+created_at' })
  return data
}
