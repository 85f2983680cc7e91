import { getAuth, type OrganizationMembership } from '@clerk/nextjs/server'
import { type NextRequest, NextResponse } from 'next/server'
import { clerk } from '@/lib/clerk'
import { peopleByIds } from '@/lib/people'

const isAdmin = ({ role }: OrganizationMembership) => role === 'org:admin'
const userOf = (membership: OrganizationMembership) => membership.publicUserData!.userId

export async function GET(request: NextRequest) {
  const session = getAuth(request)
  if (!session.userId) return NextResponse.json({ error: 'Unauthorized' }, { status: 401 })
  if (!session.orgId) return NextResponse.json({ error: 'No active organisation' }, { status: 403 })

  const { organizations } = clerk
  const members = await organizations.getOrganizationMembershipList({ organizationId: session.orgId, limit: 500 })
  const admins = members.data.filter(isAdmin).map(userOf)
  const people = await peopleByIds(members.data.map(userOf))
  return NextResponse.json({
    members: people.map((person) => ({ isAdmin: admins.includes(person.id), ...person })),
    canInvite: session.has({ role: 'org:admin' }),
  })
}
