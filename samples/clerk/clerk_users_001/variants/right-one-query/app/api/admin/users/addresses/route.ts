import { clerkClient } from '@clerk/nextjs/server'
import { guarded } from '@/lib/guarded'
import { listed } from '@/lib/user-directory'

const LIMIT = 200

export const GET = guarded(async () => {
  const { users } = await clerkClient()
  const pages = Math.ceil((await users.getCount()) / LIMIT)
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, page) =>
      users.getUserList({ limit: LIMIT, offset: page * LIMIT, orderBy: '+created_at' }),
    ),
  )
  return { addresses: answers.flatMap(({ data }) => data.flatMap((user) => listed(user).email ?? [])) }
})
