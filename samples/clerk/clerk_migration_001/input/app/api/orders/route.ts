import { getAuth } from '@clerk/nextjs/server'
import type { NextRequest } from 'next/server'
import { auth } from '@clerk/nextjs'
import { ordersOf } from '@/lib/orders'

export async function GET(request: NextRequest) {
  const { userId } = auth()
  if (!userId) return Response.json({ error: 'Unauthorized' }, { status: 401 })
  const { sessionId } = getAuth(request)
  return Response.json({ sessionId, orders: await ordersOf(userId) })
}
