'use server'

import { auth } from '@clerk/nextjs'
import { findOrder } from '@/lib/orders'

/** Cancels an order of the signed-in user; says whether it did. */
export async function cancelOrder(id: string): Promise<boolean> {
  const { userId } = auth().protect()
  const order = await findOrder(id)
  if (!order || order.userId !== userId) return false
  order.cancelled = true
  return true
}
