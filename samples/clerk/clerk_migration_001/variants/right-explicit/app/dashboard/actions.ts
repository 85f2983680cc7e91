'use server'

import { requireUserId } from '@/lib/require-user-id'
import { ordersOf } from '@/lib/orders'

export async function cancelOrder(id: string): Promise<boolean> {
  const own = await ordersOf(await requireUserId())
  const order = own.find((candidate) => candidate.id === id)
  if (order) order.cancelled = true
  return order !== undefined
}
