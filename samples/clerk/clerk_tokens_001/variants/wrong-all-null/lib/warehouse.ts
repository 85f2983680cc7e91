// Wrong: calls an item unknown whatever the warehouse answers.
/** Our warehouse's API, called on behalf of the signed-in user. */
import { auth } from '@clerk/nextjs/server'

const TEMPLATE = 'warehouse'

export type Fault = 'signed-out' | 'token' | 'refused' | 'unavailable' | 'unknown-item' | 'sold-out'

export class WarehouseError extends Error {
  readonly fault: Fault

  constructor(fault: Fault, options?: ErrorOptions) {
    super(`The warehouse can't be asked: ${fault}.`, options)
    this.name = 'WarehouseError'
    this.fault = fault
  }
}

export interface Item {
  sku: string
  name: string
  amount: number
}

export async function findItem(sku: string): Promise<Item | null> {
  const response = await ask(`/items/${encodeURIComponent(sku)}`)
  if (!response.ok) return null
  return contentOf<Item>(response)
}

export async function reserve(sku: string, amount: number): Promise<string> {
  const response = await ask('/reservations', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sku, amount }),
  })
  if (response.status === 404) throw new WarehouseError('unknown-item')
  if (response.status === 409) throw new WarehouseError('sold-out')
  return (await contentOf<{ id: string }>(response)).id
}

/** The warehouse's answer to the user of this request, whom it knows. */
async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response = await send(path, init, await newToken())
  if (response.status === 401) response = await send(path, init, await newToken())
  if (response.status === 401 || response.status === 403) throw new WarehouseError('refused')
  return response
}

async function newToken(): Promise<string> {
  const { userId, getToken } = await auth()
  if (!userId) throw new WarehouseError('signed-out')
  let token: string | null
  try {
    token = await getToken({ template: TEMPLATE })
  } catch (cause) {
    throw new WarehouseError('token', { cause })
  }
  if (!token) throw new WarehouseError('token')
  return token
}

async function send(path: string, init: RequestInit, token: string): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  try {
    return await fetch(`${process.env.WAREHOUSE_URL}${path}`, { ...init, headers })
  } catch (cause) {
    throw new WarehouseError('unavailable', { cause })
  }
}

async function contentOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw new WarehouseError('unavailable')
  try {
    return await response.json()
  } catch (cause) {
    throw new WarehouseError('unavailable', { cause })
  }
}
