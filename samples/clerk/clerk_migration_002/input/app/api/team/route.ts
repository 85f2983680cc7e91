import { clerkClient, getAuth } from '@clerk/nextjs/server'
import type { NextRequest } from 'next/server'
import { peopleByIds } from '@/lib/people'

/** The members of the active organisation, each with a picture. */
export async function GET(request: NextRequest) {
  const { userId, orgId, orgRole } = getAuth(request)
  if (!userId) return Response.json({ error: 'Unauthorized' }, { status: 401 })
  if (!orgId) return Response.json({ error: 'No active organisation' }, { status: 403 })

  const memberships = await clerkClient.organizations.getOrganizationMembershipList({ organizationId: orgId, limit: 100 })
  const roles = new Map(memberships.map((membership) => [membership.publicUserData?.userId, membership.role]))
  const people = await peopleByIds(memberships.map((membership) => membership.publicUserData?.userId ?? ''))
  return Response.json({
    canInvite: orgRole === 'admin',
    members: people.map((person) => ({ ...person, isAdmin: roles.get(person.id) === 'admin' })),
  })
}
