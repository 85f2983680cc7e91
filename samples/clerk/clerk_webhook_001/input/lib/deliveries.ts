/** Which webhook deliveries have been handled. It stands for a table; use it as it is. */
const handled = new Set<string>()

export async function isHandled(deliveryId: string): Promise<boolean> {
  return handled.has(deliveryId)
}

export async function markHandled(deliveryId: string): Promise<void> {
  handled.add(deliveryId)
}
