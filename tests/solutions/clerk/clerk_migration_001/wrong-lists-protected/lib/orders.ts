/** Where orders are kept. Use it as it is. */
export interface Order {
  id: string
  userId: string
  title: string
  cancelled: boolean
}

const orders: Order[] = [
  { id: 'o1', userId: 'user_ada', title: 'Punched cards', cancelled: false },
  { id: 'o2', userId: 'user_ada', title: 'Brass gears', cancelled: false },
  { id: 'o3', userId: 'user_bob', title: 'Garden gloves', cancelled: false },
]

export async function ordersOf(userId: string): Promise<Order[]> {
  return orders.filter((order) => order.userId === userId)
}

export async function findOrder(id: string): Promise<Order | undefined> {
  return orders.find((order) => order.id === id)
}
