import { tokenFor } from '@/lib/session-token'

export type Fault = 'signed-out' | 'token' | 'refused' | 'unavailable' | 'unknown-item' | 'sold-out'

export class WarehouseError extends Error {
  constructor(
    readonly fault: Fault,
    options?: ErrorOptions,
  ) {
    super(`warehouse: ${fault}`, options)
  }
}

export interface Item {
  sku: string
  name: string
  amount: number
}

const OFTEN: Record<number, Fault> = { 401: 'refused', 403: 'refused' }

export const findItem = (sku: string) =>
  call<Item>(new URL(`${process.env.WAREHOUSE_URL}/items/${encodeURIComponent(sku)}`), {}, {}).catch((error: unknown) => {
    if (error instanceof NotFound) return null
    throw error
  })

export async function reserve(sku: string, amount: number): Promise<string> {
  const address = new URL(`${process.env.WAREHOUSE_URL}/reservations`)
  const body = JSON.stringify({ amount, sku })
  const { id } = await call<{ id: string }>(address, { method: 'POST', body }, { 404: 'unknown-item', 409: 'sold-out' })
  return id
}

class NotFound extends Error {}

async function call<T>(address: URL, init: RequestInit, faults: Record<number, Fault>, again = true): Promise<T> {
  const token = await tokenFor('warehouse').catch((cause: unknown) => {
    throw new WarehouseError('token', { cause })
  })
  if (token === undefined) throw new WarehouseError('signed-out')
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(address, { ...init, headers }).catch((cause: unknown) => {
    throw new WarehouseError('unavailable', { cause })
  })
  if (response.ok) {
    return response.json().catch((cause: unknown) => {
      throw new WarehouseError('unavailable', { cause })
    })
  }
  if (response.status === 401 && again) return call(address, init, faults, false)
  const fault = { ...OFTEN, ...faults }[response.status]
  if (!fault && response.status === 404) throw new NotFound()
  throw new WarehouseError(fault ?? 'unavailable')
}
