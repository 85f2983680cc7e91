import 'server-only'
import { auth } from '@clerk/nextjs/server'

export class Refusal extends Error {
  constructor(readonly status: 401 | 403 | 404 | 400) {
    super(`refused with ${status}`)
  }
}

export interface Viewer {
  id: string
  org: string | null
  role: string | null
  may(action: 'read' | 'create' | 'archive'): boolean
}

/** Whoever is signed in, or null. */
export async function viewer(): Promise<Viewer | null> {
  const { userId, orgId, orgRole, orgPermissions } = await auth()
  if (!userId) return null
  const may = (action: string) => orgPermissions?.includes(`org:projects:${action}`) ?? false
  return { id: userId, org: orgId ?? null, role: orgRole ?? null, may }
}

/** The viewer's id and organisation, if `isAllowed`. */
export async function allowed(isAllowed: (viewer: Viewer) => boolean): Promise<{ id: string; org: string }> {
  const who = await viewer()
  if (who === null) throw new Refusal(401)
  if (who.org === null || !isAllowed(who)) throw new Refusal(403)
  return { id: who.id, org: who.org }
}

export async function answered(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof Refusal) return Response.json({ error: error.message }, { status: error.status })
    throw error
  }
}
