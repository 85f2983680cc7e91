// Wrong: roles are still called admin and basic_member.
import { auth, clerkClient } from '@clerk/nextjs/server'
import { peopleByIds } from '@/lib/people'

/** The members of the active organisation, each with a picture. */
export async function GET() {
  const { userId, orgId, orgRole } = await auth()
  if (!userId) return Response.json({ error: 'Unauthorized' }, { status: 401 })
  if (!orgId) return Response.json({ error: 'No active organisation' }, { status: 403 })

  const client = await clerkClient()
  const { data: memberships } = await client.organizations.getOrganizationMembershipList({
    organizationId: orgId,
    limit: 100,
  })
  const roles = new Map(memberships.map((membership) => [membership.publicUserData?.userId, membership.role]))
  const people = await peopleByIds(memberships.map((membership) => membership.publicUserData?.userId ?? ''))
  return Response.json({
    canInvite: orgRole === 'admin',
    members: people.map((person) => ({ ...person, isAdmin: roles.get(person.id) === 'admin' })),
  })
}
