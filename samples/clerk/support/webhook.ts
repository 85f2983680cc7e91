/** Webhooks as Clerk sends them: signed by Svix with the secret of the endpoint. */
import { createHmac } from 'node:crypto'

export const WEBHOOK_SECRET = `whsec_${btoa('a secret of the webhook endpoint')}`

export interface DeliveryOptions {
  /** The same id again means the same delivery, repeated. */
  id: string
  secret?: string
  sentSecondsAgo?: number
}

export interface Delivery {
  body: string
  headers: Record<string, string>
}

/** What is posted to the endpoint for `event`, or for a text as it is. */
export function deliveryOf(event: object | string, { id, secret = WEBHOOK_SECRET, sentSecondsAgo = 0 }: DeliveryOptions): Delivery {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1000) - sentSecondsAgo)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': `v1,${signature}`,
  }
  return { body, headers }
}
