export type Reason =
  | 'already-invited'
  | 'already-member'
  | 'bad-address'
  | 'organization-full'
  | 'not-pending'
  | 'not-found'
  | 'slow-down'

export class InvitationError extends Error {
  constructor(
    readonly reason: Reason,
    readonly retryAfter: number | null = null,
  ) {
    super(reason)
  }
}

function reasonOf(code: string | undefined, status: number | undefined): Reason | undefined {
  switch (code) {
    case 'duplicate_record':
      return 'already-invited'
    case 'already_a_member_in_organization':
      return 'already-member'
    case 'form_param_format_invalid':
      return 'bad-address'
    case 'organization_membership_quota_exceeded':
      return 'organization-full'
    case 'organization_invitation_not_pending':
      return 'not-pending'
    default:
      return status === 404 ? 'not-found' : status === 429 ? 'slow-down' : undefined
  }
}

export function explained(error: unknown): unknown {
  const { errors, status, retryAfter } = (error ?? {}) as { errors?: { code?: string }[]; status?: number; retryAfter?: number }
  const reason = errors && reasonOf(errors[0]?.code, status)
  return reason ? new InvitationError(reason, reason === 'slow-down' ? (retryAfter ?? null) : null) : error
}

/** What `call` gives; its errors are explained. */
export async function explaining<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw explained(error)
  }
}
