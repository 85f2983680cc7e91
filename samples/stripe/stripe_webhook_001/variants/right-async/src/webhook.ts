import type Stripe from 'stripe'

export type Fulfil = (sessionId: string) => Promise<void>

const json = (status: number, body: object) => Response.json(body, { status })

class Deliveries {
  private readonly done = new Map<string, Promise<void>>()

  once(eventId: string, work: () => Promise<void>): Promise<void> {
    const running = this.done.get(eventId) ?? work()
    this.done.set(eventId, running)
    running.catch(() => this.done.delete(eventId))
    return running
  }
}

export const createWebhookHandler = (stripe: Stripe, signingSecret: string, fulfil: Fulfil) => {
  const deliveries = new Deliveries()
  return async (request: Request): Promise<Response> => {
    const signature = request.headers.get('stripe-signature')
    if (signature === null) return json(400, { error: 'unsigned' })
    const payload = Buffer.from(await request.arrayBuffer())
    const event = await stripe.webhooks.constructEventAsync(payload, signature, signingSecret).catch(() => null)
    if (event === null) return json(400, { error: 'bad signature' })

    const paid =
      event.type === 'checkout.session.async_payment_succeeded' ||
      (event.type === 'checkout.session.completed' && event.data.object.payment_status !== 'unpaid')
    if (!paid) return json(200, { ignored: event.type })
    const { id } = event.data.object as Stripe.Checkout.Session
    return deliveries.once(event.id, () => fulfil(id)).then(
      () => json(200, {}),
      (reason: unknown) => json(500, { error: String(reason) }),
    )
  }
}
