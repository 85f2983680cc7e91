import 'server-only'
import { auth } from '@clerk/nextjs/server'
import { type NextRequest, NextResponse } from 'next/server'

type Handler = (request: NextRequest) => Promise<object>

export class BadRequest extends Error {}

/** A route handler for administrators that answers what `handle` gives. */
export function guarded(handle: Handler) {
  return async (request: NextRequest): Promise<Response> => {
    const { userId, orgRole } = await auth()
    if (!userId) return problem(401, 'signed out')
    if (orgRole !== 'org:admin') return problem(403, 'not an administrator')
    try {
      return NextResponse.json(await handle(request))
    } catch (error) {
      if (error instanceof BadRequest) return problem(400, error.message)
      const { status, retryAfter } = error as { status?: number; retryAfter?: number }
      if (status === 429) return problem(503, 'busy', retryAfter)
      return problem(502, 'unavailable')
    }
  }
}

function problem(status: number, error: string, wait?: number): Response {
  const response = NextResponse.json({ error }, { status })
  if (wait) response.headers.set('Retry-After', `${wait}`)
  return response
}
