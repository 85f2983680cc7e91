import { clerk } from './clerk'
import { explaining, InvitationError, type Reason } from './errors'
import { everything } from './pages'

export type Invitation = { id: string; email: string; role: string; invitedAt: string }
export type Invite = { role: string; by: string }
export type Outcome = {
  invited: string[]
  skipped: { email: string; reason: Reason }[]
  left: string[]
  stopped: Reason | null
}

const clean = (email: string) => email.trim().toLowerCase()

export const invite = (organizationId: string, email: string, { role, by }: Invite): Promise<string> =>
  explaining(async () => {
    const made = await clerk.organizations.createOrganizationInvitation({
      organizationId,
      emailAddress: clean(email),
      inviterUserId: by,
      role,
      expiresInDays: 14,
    })
    return made.id
  })

export async function inviteAll(organizationId: string, emails: string[], invitation: Invite): Promise<Outcome> {
  const left = emails.map(clean).filter((email, place, all) => email && all.indexOf(email) === place)
  const invited: string[] = []
  const skipped: Outcome['skipped'] = []
  while (left.length > 0) {
    const reason = await invite(organizationId, left[0], invitation).then(
      () => null,
      (error: unknown) => {
        if (error instanceof InvitationError) return error.reason
        throw error
      },
    )
    if (reason === 'organization-full' || reason === 'slow-down' || reason === 'not-found' || reason === 'not-pending') {
      return { invited, skipped, left, stopped: reason }
    }
    const email = left.shift()!
    if (reason) skipped.push({ email, reason })
    else invited.push(email)
  }
  return { invited, skipped, left, stopped: null }
}

export async function pendingInvitations(organizationId: string): Promise<Invitation[]> {
  const newestFirst = await explaining(() =>
    everything((range) => clerk.organizations.getOrganizationInvitationList({ ...range, organizationId, status: ['pending'] })),
  )
  return newestFirst.reverse().map((one) => ({
    id: one.id,
    email: clean(one.emailAddress),
    role: one.role,
    invitedAt: new Date(one.createdAt).toISOString(),
  }))
}

export async function revoke(organizationId: string, email: string, by: string): Promise<boolean> {
  for (const one of await pendingInvitations(organizationId)) {
    if (one.email === clean(email)) return take(organizationId, one.id, by)
  }
  return false
}

export async function revokeBefore(organizationId: string, moment: Date, by: string): Promise<string[]> {
  const old = (await pendingInvitations(organizationId)).filter(({ invitedAt }) => new Date(invitedAt) < moment)
  const gone: string[] = []
  for (const { id, email } of old) if (await take(organizationId, id, by)) gone.push(email)
  return gone
}

async function take(organizationId: string, invitationId: string, requestingUserId: string): Promise<boolean> {
  try {
    await explaining(() => clerk.organizations.revokeOrganizationInvitation({ organizationId, invitationId, requestingUserId }))
  } catch (error) {
    if (error instanceof InvitationError && error.reason === 'not-pending') return false
    throw error
  }
  return true
}
