import { clerk } from './clerk'
import { explaining } from './errors'
import { entries } from './pages'

export type Member = { userId: string; name: string; email: string; role: string }

export const members = (organizationId: string): Promise<Member[]> =>
  explaining(async () => {
    const all: Member[] = []
    const list = entries((range) => clerk.organizations.getOrganizationMembershipList({ organizationId, ...range }))
    for await (const { role, publicUserData: user } of list) {
      const name = `${user?.firstName ?? ''} ${user?.lastName ?? ''}`.trim()
      all.push({ userId: user!.userId, email: user!.identifier, name: name || user!.identifier, role })
    }
    return all
  })

export async function roleCounts(organizationId: string): Promise<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { role } of await members(organizationId)) counts.set(role, 1 + (counts.get(role) ?? 0))
  return Object.fromEntries(counts)
}
