import type Stripe from 'stripe'

/** Delivers what was bought in a Checkout Session. May fail, and may then be called again. */
export type Fulfil = (sessionId: string) => Promise<void>

// TODO: make a handler for the events that Stripe posts to our webhook endpoint.
//   - The header "stripe-signature" is checked against the raw body with `signingSecret` and
//     Stripe's usual tolerance of five minutes. Missing or wrong: status 400, nothing is fulfilled.
//   - "checkout.session.completed" fulfils the session if its payment_status is not "unpaid".
//   - "checkout.session.async_payment_succeeded" fulfils the session.
//   - Every other event is accepted and ignored.
//   - Stripe may deliver an event more than once: an event whose id was handled before is accepted
//     without fulfilling again.
//   - If `fulfil` fails: status 500. Stripe then delivers the event again, and it must be handled.
//   - Accepted: status 200. All answers are JSON.
export function createWebhookHandler(
  stripe: Stripe,
  signingSecret: string,
  fulfil: Fulfil,
): (request: Request) => Promise<Response> {
  return async () => Response.json({ error: 'Not implemented' }, { status: 501 })
}
