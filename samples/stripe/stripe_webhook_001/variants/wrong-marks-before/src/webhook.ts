// Wrong: remembers the event before it is fulfilled, so a failed delivery is lost.
import type Stripe from 'stripe'

/** Delivers what was bought in a Checkout Session. May fail, and may then be called again. */
export type Fulfil = (sessionId: string) => Promise<void>

export function createWebhookHandler(
  stripe: Stripe,
  signingSecret: string,
  fulfil: Fulfil,
): (request: Request) => Promise<Response> {
  const handled = new Set<string>()

  return async (request) => {
    const body = await request.text()
    let event: Stripe.Event
    try {
      event = stripe.webhooks.constructEvent(body, request.headers.get('stripe-signature') ?? '', signingSecret)
    } catch {
      return Response.json({ error: 'The signature does not match.' }, { status: 400 })
    }

    const sessionId = sessionToFulfil(event)
    if (sessionId !== null && !handled.has(event.id)) {
      handled.add(event.id)
      try {
        await fulfil(sessionId)
      } catch {
        return Response.json({ error: 'The order could not be fulfilled.' }, { status: 500 })
      }
    }
    return Response.json({ received: true })
  }
}

function sessionToFulfil(event: Stripe.Event): string | null {
  switch (event.type) {
    case 'checkout.session.completed':
      return event.data.object.payment_status === 'unpaid' ? null : event.data.object.id
    case 'checkout.session.async_payment_succeeded':
      return event.data.object.id
    default:
      return null
  }
}
