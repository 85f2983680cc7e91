import 'server-only'
import { auth } from '@clerk/nextjs/server'

type Session = Awaited<ReturnType<typeof auth>>
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
  const { userId, orgId, has }: Session = await auth()
  if (!userId) return refuse(401, 'Sign in first.')
  if (!orgId || !has(requirement)) return refuse(403, 'You may not do this here.')
  return { userId, orgId }
}
