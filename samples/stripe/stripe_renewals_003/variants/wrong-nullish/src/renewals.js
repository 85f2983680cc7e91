// Wrong: the SDK gives an empty text where Stripe sent no decline code.
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
    const reason = error.decline_code ?? error.code
    return { status: 'declined', reason, final: FINAL.includes(reason) }
  }
}

/** Renews one after the other, until something goes wrong that concerns them all. */
export async function renewAll(stripe, renewals) {
  const results = []
  for (const [index, renewal] of renewals.entries()) {
    try {
      results.push({ id: renewal.id, ...(await renew(stripe, renewal)) })
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) {
        return { results, left: renewals.slice(index).map(({ id }) => id), stopped: error.message }
      }
      results.push({ id: renewal.id, status: 'failed', message: error.message })
    }
  }
  return { results, left: [], stopped: null }
}
