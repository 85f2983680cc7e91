import { auth } from '@clerk/nextjs/server'
import { ordersOf } from '@/lib/orders'

export async function GET() {
  const { userId, sessionId } = await auth()
  if (!userId) return Response.json({ error: 'Unauthorized' }, { status: 401 })
  return Response.json({ sessionId, orders: await ordersOf(userId) })
}
