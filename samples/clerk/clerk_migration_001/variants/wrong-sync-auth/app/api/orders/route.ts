// Wrong: auth() is still used as if it were synchronous; a cast silences the compiler.
import { auth } from '@clerk/nextjs/server'
import { ordersOf } from '@/lib/orders'

export async function GET() {
  const { userId, sessionId } = auth() as unknown as { userId: string | null; sessionId: string | null }
  if (!userId) return Response.json({ error: 'Unauthorized' }, { status: 401 })
  return Response.json({ sessionId, orders: await ordersOf(userId) })
}
