import { clerkClient } from '@clerk/nextjs/server'
import { BadRequest, guarded } from '@/lib/guarded'
import { listed } from '@/lib/user-directory'

const orders = new Map([
  ['newest', '-created_at'],
  ['active', '-last_active_at'],
  ['name', '+last_name'],
] as const)

export const GET = guarded(async ({ nextUrl }) => {
  const given = (name: string, otherwise: string) => nextUrl.searchParams.get(name) ?? otherwise
  const [page, size] = [Number(given('page', '1') || 'none'), Number(given('size', '20') || 'none')]
  const orderBy = orders.get(given('sort', 'newest') as 'newest')
  if (!Number.isInteger(page) || !Number.isInteger(size) || page < 1 || size < 1 || size > 100 || !orderBy) {
    throw new BadRequest('bad parameters')
  }

  const search = given('search', '').trim()
  const asked = search ? { query: search } : {}
  const { users } = await clerkClient()
  const total = await users.getCount(asked)
  const { data } = await users.getUserList({ ...asked, limit: size, offset: size * (page - 1), orderBy })
  return { users: data.map(listed), page, pages: Math.floor((total + size - 1) / size), total }
})
