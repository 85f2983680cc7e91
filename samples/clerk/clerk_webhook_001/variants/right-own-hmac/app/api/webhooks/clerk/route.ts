import type { UserJSON } from '@clerk/nextjs/server'
import { NextResponse } from 'next/server'
import { isHandled, markHandled } from '@/lib/deliveries'
import { sendWelcome } from '@/lib/mailer'
import { isSigned } from '@/lib/signature'
import { findUser, putUser, removeUser, wasRemoved } from '@/lib/user-store'

const effects: Record<string, (data: UserJSON) => Promise<unknown>> = {
  'user.created': async (data) => {
    await keep(data)
    const email = (await findUser(data.id))?.email
    return email ? sendWelcome(email) : null
  },
  'user.updated': keep,
  'user.deleted': ({ id }) => removeUser(id),
}

export async function POST(request: Request) {
  const body = await request.text()
  if (!isSigned(body, request.headers)) return NextResponse.json({ error: 'bad signature' }, { status: 400 })

  const id = request.headers.get('svix-id') as string
  const done = NextResponse.json({ received: true })
  if (await isHandled(id)) return done
  const { type, data } = JSON.parse(body)
  try {
    await effects[type]?.(data)
  } catch (error) {
    return NextResponse.json({ error: String(error) }, { status: 500 })
  }
  await markHandled(id)
  return done
}

async function keep(data: UserJSON): Promise<void> {
  const stored = await findUser(data.id)
  if ((stored?.updatedAt ?? 0) > data.updated_at || (await wasRemoved(data.id))) return
  const emails = new Map(data.email_addresses.map(({ id, email_address }) => [id, email_address]))
  const name = `${data.first_name ?? ''} ${data.last_name ?? ''}`.trim()
  await putUser({ id: data.id, name, email: emails.get(data.primary_email_address_id ?? '') ?? null, updatedAt: data.updated_at })
}
