/** Invitations to organisations, by Clerk's backend API. */
import { clerk } from './clerk'
import { explained, InvitationError, type Reason } from './errors'
import { everything } from './pages'

export interface Invitation {
  id: string
  email: string
  role: string
  /** ISO 8601, in UTC: "2026-01-02T03:04:05.000Z". */
  invitedAt: string
}

export interface Invite {
  role: string
  /** The id of the user who invites. */
  by: string
}

export interface Outcome {
  /** Addresses that got an invitation. */
  invited: string[]
  /** Addresses that can't get one, and why. */
  skipped: { email: string; reason: Reason }[]
  /** Addresses that were not tried, or will have to be tried again. */
  left: string[]
  /** Why the rest was not tried; null if all were. */
  stopped: Reason | null
}

const EXPIRES_IN_DAYS = 14
const ABOUT_THE_ADDRESS: readonly Reason[] = ['already-invited', 'already-member', 'bad-address']

export async function invite(organizationId: string, email: string, { role, by }: Invite): Promise<string> {
  try {
    const { id } = await clerk.organizations.createOrganizationInvitation({
      organizationId,
      emailAddress: normal(email),
      role,
      inviterUserId: by,
      expiresInDays: EXPIRES_IN_DAYS,
    })
    return id
  } catch (error) {
    throw explained(error)
  }
}

export async function inviteAll(organizationId: string, emails: string[], invitation: Invite): Promise<Outcome> {
  const addresses = [...new Set(emails.map(normal).filter((email) => email !== ''))]
  const outcome: Outcome = { invited: [], skipped: [], left: [], stopped: null }
  for (const [place, email] of addresses.entries()) {
    try {
      await invite(organizationId, email, invitation)
      outcome.invited.push(email)
    } catch (error) {
      if (!(error instanceof InvitationError)) throw error
      const { reason } = error
      if (!ABOUT_THE_ADDRESS.includes(reason)) return { ...outcome, left: addresses.slice(place), stopped: reason }
      outcome.skipped.push({ email, reason })
    }
  }
  return outcome
}

export async function pendingInvitations(organizationId: string): Promise<Invitation[]> {
  const list = await allPending(organizationId)
  return list.map(({ id, emailAddress, role, createdAt }) => ({
    id,
    email: normal(emailAddress),
    role,
    invitedAt: new Date(createdAt).toISOString(),
  }))
}

export async function revoke(organizationId: string, email: string, by: string): Promise<boolean> {
  const wanted = normal(email)
  const list = await allPending(organizationId)
  const invitation = list.find(({ emailAddress }) => normal(emailAddress) === wanted)
  return invitation ? revokeOne(organizationId, invitation.id, by) : false
}

export async function revokeBefore(organizationId: string, moment: Date, by: string): Promise<string[]> {
  const revoked: string[] = []
  // All are read before the first one goes: each that goes moves those on later pages.
  for (const { id, emailAddress, createdAt } of await allPending(organizationId)) {
    if (createdAt >= moment.getTime()) continue
    if (await revokeOne(organizationId, id, by)) revoked.push(normal(emailAddress))
  }
  return revoked
}

/** The oldest first. */
async function allPending(organizationId: string) {
  try {
    const list = await everything((range) =>
      clerk.organizations.getOrganizationInvitationList({ organizationId, status: ['pending'], ...range }),
    )
    return list.sort((one, other) => one.createdAt - other.createdAt)
  } catch (error) {
    throw explained(error)
  }
}

async function revokeOne(organizationId: string, invitationId: string, by: string): Promise<boolean> {
  try {
    await clerk.organizations.revokeOrganizationInvitation({ organizationId, invitationId, requestingUserId: by })
    return true
  } catch (error) {
    const reason = explained(error)
    if (reason instanceof InvitationError && reason.reason === 'not-pending') return false
    throw reason
  }
}

function normal(email: string): string {
  return email.trim().toLowerCase()
}
