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

interface ApiError extends Error {
  status?: number
  retryAfter?: number
  errors: { code: string }[]
}

const BY_CODE = new Map<string, Reason>([
  ['duplicate_record', 'already-invited'],
  ['already_a_member_in_organization', 'already-member'],
  ['form_param_format_invalid', 'bad-address'],
  ['organization_membership_quota_exceeded', 'organization-full'],
  ['organization_invitation_not_pending', 'not-pending'],
])

/** An error of Clerk's API as an InvitationError; everything else as it is. */
export function explained(error: unknown): unknown {
  if (!isApiError(error)) return error
  const reason = BY_CODE.get(error.errors[0]?.code)
  if (reason) return new InvitationError(reason, null, { cause: error })
  if (error.status === 404) return new InvitationError('not-found', null, { cause: error })
  if (error.status === 429) return new InvitationError('slow-down', error.retryAfter ?? null, { cause: error })
  return error
}

function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}
