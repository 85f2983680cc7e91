import { clerkClient } from '@clerk/nextjs/server'
import type { NextRequest } from 'next/server'
import { forAdmins, refuse } from '@/lib/admin-api'
import { listed } from '@/lib/user-directory'

const MOST_ON_PAGE = 100
const ORDERS = { newest: '-created_at', active: '-last_active_at', name: 'last_name' } as const

export async function GET(request: NextRequest): Promise<Response> {
  return forAdmins(async () => {
    const { searchParams } = request.nextUrl
    const query = searchParams.get('search')?.trim()
    const page = positive(searchParams.get('page') ?? '1')
    const size = positive(searchParams.get('size') ?? '20')
    const sort = searchParams.get('sort') ?? 'newest'
    if (page === null || size === null || size > MOST_ON_PAGE) return refuse(400, 'This page can not be shown.')
    if (!Object.hasOwn(ORDERS, sort)) return refuse(400, 'There is no such order.')

    const client = await clerkClient()
    const { data, totalCount } = await client.users.getUserList({
      query: query || undefined,
      limit: size,
      offset: (page - 1) * size,
      orderBy: ORDERS[sort as keyof typeof ORDERS],
    })
    return Response.json({ users: data.map(listed), page, pages: Math.ceil(totalCount / size), total: totalCount })
  })
}

function positive(text: string): number | null {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}
