// Wrong: takes the administrator for somebody who may do everything.
import type { auth } from '@clerk/nextjs/server'
import type { Audience } from '@/lib/links'

export type Viewer = Awaited<ReturnType<typeof auth>>

export function maySee({ userId, orgId, sessionClaims, has }: Viewer, audience: Audience): boolean {
  switch (audience.kind) {
    case 'everybody':
      return true
    case 'signed-out':
      return !userId
    case 'signed-in':
      return !!userId
    case 'organization':
      return !!orgId
    case 'role':
      return has({ role: audience.role })
    case 'permission':
      return has({ role: 'org:admin' })
    case 'staff':
      return sessionClaims?.metadata?.role === 'staff'
  }
}
