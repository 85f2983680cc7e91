import { getAuth } from '@clerk/nextjs/server'
import type { NextRequest } from 'next/server'
import type { Viewer } from '@/lib/viewer'

export const refuse = (status: number, error: string) => Response.json({ error }, { status })

/** A route handler for those who are signed in. */
export function forUsers<C>(handle: (request: NextRequest, viewer: Viewer, context: C) => Promise<Response>) {
  return async (request: NextRequest, context: C): Promise<Response> => {
    const { userId, orgId, orgRole } = getAuth(request)
    if (!userId) return refuse(401, 'Sign in first.')
    return handle(request, { id: userId, organization: orgId ?? null, isAdmin: orgRole === 'org:admin' }, context)
  }
}
