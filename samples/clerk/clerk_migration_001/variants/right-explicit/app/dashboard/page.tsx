import { displayName } from '@/lib/display-name'
import { type Order, ordersOf } from '@/lib/orders'
import { requireUserId } from '@/lib/require-user-id'

export default async function DashboardPage() {
  const userId = await requireUserId()
  return (
    <main>
      <Title userId={userId} />
      <OrderTable orders={await ordersOf(userId)} />
    </main>
  )
}

async function Title({ userId }: { userId: string }) {
  return <h1>{`Orders of ${await displayName(userId)}`}</h1>
}

function OrderTable({ orders }: { orders: Order[] }) {
  return (
    <table>
      <tbody>
        {orders.map(({ id, title }) => (
          <tr key={id}>
            <td>{title}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
