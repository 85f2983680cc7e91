import { auth } from '@clerk/nextjs/server'
import { redirect } from 'next/navigation'
import { displayName } from '@/lib/display-name'
import { ordersOf } from '@/lib/orders'

export default async function DashboardPage() {
  const { userId } = await auth()
  if (!userId) redirect('/sign-in')

  const orders = await ordersOf(userId)
  return (
    <>
      <h1>Orders of {await displayName(userId)}</h1>
      <ul>
        {orders.map((order) => (
          <li key={order.id}>{order.title}</li>
        ))}
      </ul>
    </>
  )
}
