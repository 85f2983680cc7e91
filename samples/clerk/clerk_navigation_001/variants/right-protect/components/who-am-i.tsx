import { auth, clerkClient, type User } from '@clerk/nextjs/server'
import { ROLE_NAMES } from '@/lib/links'

export async function WhoAmI() {
  const { userId, orgRole } = await auth()
  if (!userId) return null
  const name = await nameOf(userId)
  const role = orgRole && (orgRole in ROLE_NAMES ? ROLE_NAMES[orgRole] : orgRole.slice('org:'.length))
  return <strong>{role ? `${name} (${role})` : name}</strong>
}

async function nameOf(userId: string): Promise<string> {
  let user: User
  try {
    user = await (await clerkClient()).users.getUser(userId)
  } catch {
    return 'Your account'
  }
  const primary = user.emailAddresses.find(({ id }) => id === user.primaryEmailAddressId)
  return user.fullName ?? primary?.emailAddress ?? 'Your account'
}
