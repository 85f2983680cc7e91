/** Who belongs to an organisation, by Clerk's backend API. */
import { clerk } from './clerk'
import { explained } from './errors'
import { everything } from './pages'

export interface Member {
  userId: string
  /** First and last name, as far as there are any; else the address. */
  name: string
  /** What Clerk calls the identifier, as it is. */
  email: string
  role: string
}

export async function members(organizationId: string): Promise<Member[]> {
  const memberships = await everything((range) =>
    clerk.organizations.getOrganizationMembershipList({ organizationId, ...range }),
  ).catch((error: unknown) => {
    throw explained(error)
  })
  return memberships.map(({ publicUserData, role }) => {
    // It is optional by its type only: every membership in a list of an organisation has it.
    const { userId, identifier, firstName, lastName } = publicUserData!
    const name = [firstName, lastName].filter(Boolean).join(' ') || identifier
    return { userId, name, email: identifier, role }
  })
}

export async function roleCounts(organizationId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { role } of await members(organizationId)) counts[role] = (counts[role] ?? 0) + 1
  return counts
}
