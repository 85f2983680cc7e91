import 'server-only'
import { auth } from '@clerk/nextjs/server'
import { isClerkAPIResponseError } from '@clerk/nextjs/errors'

export function refuse(status: number, error: string, headers?: Record<string, string>): Response {
  return Response.json({ error }, { status, headers })
}

/** What `answer` gives, for administrators; errors of Clerk's API become answers of ours. */
export async function forAdmins(answer: () => Promise<Response>): Promise<Response> {
  const { userId, has } = await auth()
  if (!userId) return refuse(401, 'Sign in first.')
  if (!has({ role: 'org:admin' })) return refuse(403, 'This is for administrators.')
  try {
    return await answer()
  } catch (error) {
    if (!isClerkAPIResponseError(error)) throw error
    if (error.status !== 429) return refuse(502, 'The user service does not answer.')
    const headers = error.retryAfter === undefined ? undefined : { 'retry-after': String(error.retryAfter) }
    return refuse(503, 'The user service is busy.', headers)
  }
}
