// Wrong: looks for staff among the roles of the organisation.
import type { auth } from '@clerk/nextjs/server'
import type { Audience } from '@/lib/links'

export type Viewer = Awaited<ReturnType<typeof auth>>

export function maySee({ userId, orgId, orgRole, has }: Viewer, audience: Audience): boolean {
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
      return has({ permission: audience.permission })
    case 'staff':
      return orgRole === 'org:staff'
  }
}
