const hopeless = new Set(['lost_card', 'stolen_card', 'pickup_card', 'expired_card'])

export const outcomeOf = (payment) =>
  payment.status === 'processing' ? { status: 'pending', payment: payment.id } : { status: 'paid', payment: payment.id }

export function outcomeOfCardError({ code, decline_code: declined, payment_intent: intent }) {
  if (code === 'authentication_required') {
    return { status: 'action_needed', payment: intent.id, clientSecret: intent.client_secret }
  }
  return { status: 'declined', reason: declined || code, final: hopeless.has(declined || code) }
}
