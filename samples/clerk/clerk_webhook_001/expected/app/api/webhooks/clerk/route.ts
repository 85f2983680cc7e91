import type { UserJSON } from '@clerk/nextjs/server'
import { type WebhookEvent, verifyWebhook } from '@clerk/nextjs/webhooks'
import type { NextRequest } from 'next/server'
import { isHandled, markHandled } from '@/lib/deliveries'
import { sendWelcome } from '@/lib/mailer'
import { findUser, putUser, removeUser, wasRemoved } from '@/lib/user-store'

export async function POST(request: NextRequest): Promise<Response> {
  let event: WebhookEvent
  try {
    event = await verifyWebhook(request)
  } catch {
    return Response.json({ error: 'The signature is not valid.' }, { status: 400 })
  }

  const delivery = request.headers.get('svix-id') ?? ''
  try {
    if (!(await isHandled(delivery))) {
      await handle(event)
      // Only now: what failed must have its effect when Clerk sends it again.
      await markHandled(delivery)
    }
  } catch {
    return Response.json({ error: 'Please send this again later.' }, { status: 500 })
  }
  return Response.json({ received: true })
}

async function handle(event: WebhookEvent): Promise<void> {
  switch (event.type) {
    case 'user.created':
      await store(event.data)
      return welcome(event.data.id)
    case 'user.updated':
      return store(event.data)
    case 'user.deleted':
      if (event.data.id) await removeUser(event.data.id)
  }
}

async function store(data: UserJSON): Promise<void> {
  if (await wasRemoved(data.id)) return
  const known = await findUser(data.id)
  if (known && data.updated_at < known.updatedAt) return

  const primary = data.email_addresses.find((address) => address.id === data.primary_email_address_id)
  await putUser({
    id: data.id,
    email: primary?.email_address ?? null,
    name: [data.first_name, data.last_name].filter(Boolean).join(' '),
    updatedAt: data.updated_at,
  })
}

async function welcome(id: string): Promise<void> {
  const user = await findUser(id)
  if (user?.email) await sendWelcome(user.email)
}
