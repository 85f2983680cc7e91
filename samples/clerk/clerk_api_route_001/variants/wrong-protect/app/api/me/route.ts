// Wrong: auth.protect() in a route handler answers 404 without JSON instead of 401.
import { auth, clerkClient, currentUser } from '@clerk/nextjs/server'

const NICKNAME_LENGTH = 30

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status })
}

export async function GET(): Promise<Response> {
  const { userId } = await auth.protect()
  try {
    const user = await currentUser()
    return Response.json({
      id: userId,
      email: user?.primaryEmailAddress?.emailAddress ?? null,
      firstName: user?.firstName ?? null,
      lastName: user?.lastName ?? null,
      nickname: user?.publicMetadata.nickname ?? null,
    })
  } catch {
    return refuse(502, 'The user service does not answer.')
  }
}

export async function PATCH(request: Request): Promise<Response> {
  const { userId } = await auth.protect()

  const body: unknown = await request.json().catch(() => null)
  const nickname = nicknameIn(body)
  if (nickname === null) return refuse(400, `A nickname has 1 to ${NICKNAME_LENGTH} characters.`)
  try {
    const client = await clerkClient()
    await client.users.updateUserMetadata(userId, { publicMetadata: { nickname } })
    return Response.json({ nickname })
  } catch {
    return refuse(502, 'The user service does not answer.')
  }
}

function nicknameIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('nickname' in body)) return null
  if (typeof body.nickname !== 'string') return null
  const nickname = body.nickname.trim()
  return nickname.length >= 1 && nickname.length <= NICKNAME_LENGTH ? nickname : null
}
