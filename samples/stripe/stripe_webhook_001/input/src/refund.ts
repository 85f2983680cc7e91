import type Stripe from 'stripe'

export type RefundResult = { ok: true; refundId: string } | { ok: false; message: string }

// TODO: refund `cents` of a payment through Stripe.
//   - A repeated call with the same arguments must not refund twice: send an idempotency key that
//     is the same for the same payment and amount, and another one for any other.
//   - If Stripe refuses the request (any error of Stripe's API), give { ok: false, message } with
//     Stripe's message. Other errors, such as a broken connection, are thrown.
export async function refundPayment(stripe: Stripe, paymentIntent: string, cents: number): Promise<RefundResult> {
  return { ok: false, message: 'Not implemented' }
}
