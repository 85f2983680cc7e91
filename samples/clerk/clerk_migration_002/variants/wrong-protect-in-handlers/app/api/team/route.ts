// Wrong: auth.protect() in the route handlers, a 404 without JSON for those who are signed out.
import { auth, clerkClient } from '@clerk/nextjs/server'
import { peopleByIds } from '@/lib/people'

/** The members of the active organisation, each with a picture. */
export async function GET() {
  const { orgId, orgRole } = await auth.protect()
  if (!orgId) return Response.json({ error: 'No active organisation' }, { status: 403 })

  const client = await clerkClient()
  const { data: memberships } = await client.organizations.getOrganizationMembershipList({
    organizationId: orgId,
    limit: 100,
  })
  const roles = new Map(memberships.map((membership) => [membership.publicUserData?.userId, membership.role]))
  const people = await peopleByIds(memberships.map((membership) => membership.publicUserData?.userId ?? ''))
  return Response.json({
    canInvite: orgRole === 'org:admin',
    members: people.map((person) => ({ ...person, isAdmin: roles.get(person.id) === 'org:admin' })),
  })
}
