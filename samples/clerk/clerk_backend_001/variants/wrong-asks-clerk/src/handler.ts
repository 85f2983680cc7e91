// Wrong: lets the SDK fetch the key from Clerk.
import { createClerkClient } from '@clerk/backend'
import type { Reports } from './reports'

export interface Options {
  secretKey: string
  publishableKey: string
  /** Clerk's public key (PEM), by which session tokens are verified. */
  jwtKey: string
  /** Origins of the applications whose session tokens are welcome. */
  authorizedParties: string[]
  reports: Reports
}

/** An answer other than success, thrown from wherever it is found out. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly word: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(word)
  }
}

export function createHandler(options: Options): (request: Request) => Promise<Response> {
  const { secretKey, publishableKey, authorizedParties, reports } = options
  const clerk = createClerkClient({ secretKey, publishableKey })

  async function authenticate(request: Request) {
    const authorization = request.headers.get('authorization') ?? ''
    if (!/^Bearer\s+\S/.test(authorization)) throw unauthenticated()
    // Nothing else of the request: Clerk would take a session from its cookies too.
    const bearer = new Request(request.url, { headers: { authorization } })
    const state = await clerk.authenticateRequest(bearer, { authorizedParties })
    const auth = state.toAuth()
    // Pending sessions are authenticated, yet they have no user.
    if (!state.isAuthenticated || !auth?.userId) throw unauthenticated()
    return auth
  }

  async function route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/health') {
      allow(request, 'GET')
      return Response.json({ ok: true })
    }
    const { userId, orgId, orgRole, has } = await authenticate(request)
    if (pathname === '/me') {
      allow(request, 'GET')
      return Response.json({ userId, organizationId: orgId ?? null, role: orgRole ?? null })
    }
    if (pathname === '/reports') {
      allow(request, 'GET')
      if (!orgId) throw new Refusal(403, 'no-organization')
      return Response.json({ reports: await reports.list(orgId) })
    }
    const id = /^\/reports\/([^/]+)$/.exec(pathname)?.[1]
    if (!id) throw new Refusal(404, 'not-found')
    allow(request, 'DELETE')
    if (!orgId) throw new Refusal(403, 'no-organization')
    if (!has({ permission: 'org:reports:manage' })) throw new Refusal(403, 'forbidden')
    if (!(await reports.remove(orgId, decodeURIComponent(id)))) throw new Refusal(404, 'not-found')
    return new Response(null, { status: 204 })
  }

  return async (request) => {
    try {
      return await route(request)
    } catch (error) {
      const { status, word, headers } = error instanceof Refusal ? error : new Refusal(500, 'internal')
      return Response.json({ error: word }, { status, headers })
    }
  }
}

function unauthenticated(): Refusal {
  return new Refusal(401, 'unauthenticated', { 'www-authenticate': 'Bearer' })
}

function allow(request: Request, method: string): void {
  if (request.method !== method) throw new Refusal(405, 'method-not-allowed')
}
