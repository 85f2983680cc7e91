import Stripe from 'stripe'

export type RefundResult = { ok: true; refundId: string } | { ok: false; message: string }

export async function refundPayment(stripe: Stripe, paymentIntent: string, cents: number): Promise<RefundResult> {
  try {
    const refund = await stripe.refunds.create(
      { payment_intent: paymentIntent, amount: cents },
      { idempotencyKey: `refund:${paymentIntent}:${cents}` },
    )
    return { ok: true, refundId: refund.id }
  } catch (error) {
    const refused = error instanceof Stripe.errors.StripeError && !(error instanceof Stripe.errors.StripeConnectionError)
    if (!refused) throw error
    return { ok: false, message: error.message }
  }
}
