// Wrong: auth.protect() in the route handlers, a 404 without JSON whoever asks.
import 'server-only'
import { auth } from '@clerk/nextjs/server'

type Requirement = { permission: string } | { role: string }

export interface Member {
  userId: string
  orgId: string
}

export function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status })
}

/** The member of the active organisation who fulfils the requirement, or the answer that refuses it. */
export async function memberWith(requirement: Requirement): Promise<Member | Response> {
  const { userId, orgId } = await auth.protect(requirement)
  return { userId, orgId: orgId ?? '' }
}
