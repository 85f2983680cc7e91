/** One organisation at Clerk's backend API, in memory. */
import { answerFirst } from '../support/clerk-api'

export const ORGANIZATION = 'org_acme'

interface Listed {
  id: string
}

interface Refusal {
  status: number
  code: string
  headers?: Record<string, string>
}

export interface StoredInvitation extends Listed {
  email_address: string
  role: string
  status: string
  created_at: number
}

export function startOrganization() {
  const organization = {
    /** The newest first, as Clerk lists them. */
    invitations: [] as StoredInvitation[],
    memberships: [] as (Listed & Record<string, unknown>)[],
    /** Bodies of the invitations that were asked for. */
    invited: [] as Record<string, unknown>[],
    /** Ids of invitations that were to be revoked, and by whom. */
    revocations: [] as string[],
    /** Ranges of pages that were read. */
    pages: [] as string[],
    /** What Clerk answers rather than doing it, by address or id; "*" stands for everything. */
    refusals: {} as Record<string, Refusal>,
  }

  function refusalOf(key: string): Response | null {
    const refusal = organization.refusals[key] ?? organization.refusals['*']
    return refusal ? refuse(refusal) : null
  }

  function page(entries: Listed[], query: URLSearchParams): Response {
    const limit = Number(query.get('limit') ?? 10)
    const offset = Number(query.get('offset') ?? 0)
    organization.pages.push(`${offset}+${limit}`)
    return Response.json({ data: entries.slice(offset, offset + limit), total_count: entries.length })
  }

  answerFirst(async (request) => {
    const { origin, pathname, searchParams } = new URL(request.url)
    if (origin !== 'https://api.clerk.com') return null
    const [, , , id, list, invitation, action] = pathname.split('/')
    const body = request.method === 'GET' ? {} : JSON.parse((await request.text()) || '{}')
    if (id !== ORGANIZATION) return refuse({ status: 404, code: 'resource_not_found' })
    if (request.method === 'GET') {
      const refused = refusalOf(list)
      if (refused) return refused
      if (list === 'memberships') return page(organization.memberships, searchParams)
      const statuses = searchParams.getAll('status')
      return page(
        organization.invitations.filter(({ status }) => statuses.length === 0 || statuses.includes(status)),
        searchParams,
      )
    }
    if (action === 'revoke') {
      organization.revocations.push(`${invitation} by ${body.requesting_user_id}`)
      const refused = refusalOf(invitation)
      if (refused) return refused
      const stored = organization.invitations.find((entry) => entry.id === invitation)!
      stored.status = 'revoked'
      return Response.json(resource(stored))
    }
    organization.invited.push(body)
    const refused = refusalOf(body.email_address)
    if (refused) return refused
    const stored = pending(`orginv_${body.email_address}`, body.email_address, 0, body.role)
    return Response.json(resource(stored))
  })
  return organization
}

export type Organization = ReturnType<typeof startOrganization>

export function pending(id: string, email: string, created: number, role = 'org:member', status = 'pending'): StoredInvitation {
  return resource({ id, email_address: email, role, status, created_at: created })
}

export function membership(userId: string, role: string, identifier: string, first: string | null, last: string | null) {
  return {
    object: 'organization_membership',
    id: `orgmem_${userId}`,
    role,
    permissions: [],
    created_at: 0,
    updated_at: 0,
    organization: { object: 'organization', id: ORGANIZATION, name: 'Acme', slug: 'acme' },
    public_user_data: { user_id: userId, identifier, first_name: first, last_name: last, image_url: '', has_image: false },
  }
}

function refuse({ status, code, headers }: Refusal): Response {
  return Response.json({ errors: [{ code, message: 'made to fail' }] }, { status, headers })
}

function resource(invitation: StoredInvitation): StoredInvitation {
  return { object: 'organization_invitation', organization_id: ORGANIZATION, updated_at: 0, ...invitation } as StoredInvitation
}
