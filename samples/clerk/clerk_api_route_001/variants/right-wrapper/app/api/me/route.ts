import { clerkClient, getAuth, type User } from '@clerk/nextjs/server'
import { type NextRequest, NextResponse } from 'next/server'
import { HttpError } from '@/lib/http-error'

type Handler = (userId: string, request: NextRequest) => Promise<object>

function answering(handle: Handler) {
  return async (request: NextRequest) => {
    try {
      const { userId } = getAuth(request)
      if (!userId) throw new HttpError(401, 'Sign in first.')
      return NextResponse.json(await handle(userId, request))
    } catch (error) {
      const { status, message } = error instanceof HttpError ? error : new HttpError(502, 'Clerk failed.')
      return NextResponse.json({ error: message }, { status })
    }
  }
}

export const GET = answering(async (userId) => describe(await (await clerkClient()).users.getUser(userId)))

export const PATCH = answering(async (userId, request) => {
  const nickname = await readNickname(request)
  const { users } = await clerkClient()
  const { publicMetadata } = await users.getUser(userId)
  await users.updateUser(userId, { publicMetadata: { ...publicMetadata, nickname } })
  return { nickname }
})

function describe({ id, firstName, lastName, emailAddresses, primaryEmailAddressId, publicMetadata }: User) {
  const email = emailAddresses.find((address) => address.id === primaryEmailAddressId)?.emailAddress ?? null
  return { id, email, firstName, lastName, nickname: publicMetadata.nickname ?? null }
}

async function readNickname(request: NextRequest): Promise<string> {
  let body
  try {
    body = JSON.parse(await request.text())
  } catch {
    throw new HttpError(400, 'The body must be JSON.')
  }
  const nickname = typeof body?.nickname === 'string' ? body.nickname.trim() : ''
  if (!/^.{1,30}$/.test(nickname)) throw new HttpError(400, 'The nickname must have 1 to 30 characters.')
  return nickname
}
