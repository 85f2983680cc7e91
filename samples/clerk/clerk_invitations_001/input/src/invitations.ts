/**
 * Invitations to organisations, by Clerk's backend API. Addresses are compared, sent and given
 * without blanks at their ends and in lower case. What Clerk refuses is thrown as `explained` says.
 */
import type { InvitationError, Reason } from './errors'

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

/** Invites somebody; the invitation is good for 14 days. Gives its id. */
export async function invite(organizationId: string, email: string, { role, by }: Invite): Promise<string> {
  throw new Error('TODO')
}

/**
 * Invites one after the other, in the order of `emails`. Blank ones are left out, and the same address
 * is invited once. "already-invited", "already-member" and "bad-address" skip an address. Any other
 * InvitationError stops: that address and all after it are left. Errors of another kind are thrown.
 */
export async function inviteAll(organizationId: string, emails: string[], invitation: Invite): Promise<Outcome> {
  throw new Error('TODO')
}

/** All pending invitations, the oldest first, however many. Clerk lists the newest first. */
export async function pendingInvitations(organizationId: string): Promise<Invitation[]> {
  throw new Error('TODO')
}

/** Takes back the pending invitation of that address; false if there is none, or it is no longer pending. */
export async function revoke(organizationId: string, email: string, by: string): Promise<boolean> {
  throw new Error('TODO')
}

/**
 * Takes back all pending invitations from before that moment, the oldest first, and gives their
 * addresses. One that is no longer pending when its turn comes is passed over.
 */
export async function revokeBefore(organizationId: string, moment: Date, by: string): Promise<string[]> {
  throw new Error('TODO')
}
