/** What can go wrong with an invitation, in words of our own. */
export type Reason =
  | 'already-invited'
  | 'already-member'
  | 'bad-address'
  | 'organization-full'
  | 'not-pending'
  | 'not-found'
  | 'slow-down'

export class InvitationError extends Error {
  readonly reason: Reason
  /** How many seconds to wait, if Clerk told that with "slow-down"; else null. */
  readonly retryAfter: number | null

  constructor(reason: Reason, retryAfter: number | null = null, options?: ErrorOptions) {
    super(`Clerk says: ${reason}.`, options)
    this.name = 'InvitationError'
    this.reason = reason
    this.retryAfter = retryAfter
  }
}

/**
 * An error of Clerk's API as an InvitationError, by the code of its first error:
 *
 *   duplicate_record                          already-invited
 *   already_a_member_in_organization          already-member
 *   form_param_format_invalid                 bad-address
 *   organization_membership_quota_exceeded    organization-full
 *   organization_invitation_not_pending       not-pending
 *   any other code                            not-found if the status is 404, slow-down if it is 429
 *
 * Everything else is given back as it is: other errors of the API, a broken connection, a mistake of ours.
 */
export function explained(error: unknown): unknown {
  // TODO
  return error
}
