import { createHash } from 'node:crypto'
import type Stripe from 'stripe'

export type RefundResult = { ok: true; refundId: string } | { ok: false; message: string }

export async function refundPayment(stripe: Stripe, paymentIntent: string, cents: number): Promise<RefundResult> {
  const idempotencyKey = createHash('sha256').update(JSON.stringify([paymentIntent, cents])).digest('hex')
  return stripe.refunds.create({ amount: cents, payment_intent: paymentIntent }, { idempotencyKey }).then(
    ({ id }) => ({ ok: true, refundId: id }),
    (error: { statusCode?: number; message: string }) => {
      if (typeof error.statusCode !== 'number') throw error
      return { ok: false, message: error.message }
    },
  )
}
