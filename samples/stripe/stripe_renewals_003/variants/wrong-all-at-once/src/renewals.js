// Wrong: all cards are charged at once, whatever happens.
import Stripe from 'stripe'

const FINAL = ['expired_card', 'lost_card', 'pickup_card', 'stolen_card']

/** Charges the card by one PaymentIntent; how that ended. */
export async function renew(stripe, { id, attempt, customer, paymentMethod, amount, currency }) {
  try {
    const payment = await stripe.paymentIntents.create(
      {
        amount,
        currency,
        customer,
        payment_method: paymentMethod,
        confirm: true,
        off_session: true,
        metadata: { renewal: id },
      },
      { idempotencyKey: `renewal:${id}:${attempt}` },
    )
    return { status: payment.status === 'succeeded' ? 'paid' : 'pending', payment: payment.id }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    if (error.code === 'authentication_required') {
      const { id: payment, client_secret: clientSecret } = error.payment_intent
      return { status: 'action_needed', payment, clientSecret }
    }
    const reason = error.decline_code || error.code
    return { status: 'declined', reason, final: FINAL.includes(reason) }
  }
}

/** Renews one after the other, until something goes wrong that concerns them all. */
export async function renewAll(stripe, renewals) {
  const settled = await Promise.allSettled(renewals.map((renewal) => renew(stripe, renewal)))
  const results = settled.map(({ value, reason }, index) => {
    const { id } = renewals[index]
    return value ? { id, ...value } : { id, status: 'failed', message: reason.message }
  })
  return { results, left: [], stopped: null }
}
