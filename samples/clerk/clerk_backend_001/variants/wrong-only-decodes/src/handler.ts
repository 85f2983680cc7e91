// Wrong: reads the token without checking its signature.
import type { verifyToken } from '@clerk/backend'
import { decodeJwt } from '@clerk/backend/jwt'
import type { Report, Reports } from './reports'

export interface Options {
  secretKey: string
  publishableKey: string
  jwtKey: string
  authorizedParties: string[]
  reports: Reports
}

interface Viewer {
  userId: string
  organizationId: string | null
  role: string | null
  permissions: string[]
}

type Claims = Awaited<ReturnType<typeof verifyToken>>
type Handle = (given: { viewer: Viewer; organizationId: string; id: string; reports: Reports }) => Promise<Response>

interface Route {
  path: RegExp
  method: string
  /** Whether an organisation must be active. */
  organization: boolean
  permission?: string
  handle: Handle
}

const refuse = (status: number, error: string, headers: HeadersInit = {}) => Response.json({ error }, { status, headers })

const ROUTES: Route[] = [
  {
    path: /^\/me$/,
    method: 'GET',
    organization: false,
    handle: async ({ viewer: { userId, organizationId, role } }) => Response.json({ userId, organizationId, role }),
  },
  {
    path: /^\/reports$/,
    method: 'GET',
    organization: true,
    handle: async ({ reports, organizationId }) => {
      const list: Report[] = await reports.list(organizationId)
      return Response.json({ reports: list })
    },
  },
  {
    path: /^\/reports\/([^/]+)$/,
    method: 'DELETE',
    organization: true,
    permission: 'org:reports:manage',
    handle: async ({ reports, organizationId, id }) =>
      (await reports.remove(organizationId, id)) ? new Response(null, { status: 204 }) : refuse(404, 'not-found'),
  },
]

export const createHandler = (options: Options) => async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  if (pathname === '/health') {
    return request.method === 'GET' ? Response.json({ ok: true }) : refuse(405, 'method-not-allowed')
  }
  const viewer = await viewerOf(request, options)
  if (!viewer) return refuse(401, 'unauthenticated', { 'WWW-Authenticate': 'Bearer' })
  const route = ROUTES.find(({ path }) => path.test(pathname))
  if (!route) return refuse(404, 'not-found')
  if (request.method !== route.method) return refuse(405, 'method-not-allowed')
  if (route.organization && !viewer.organizationId) return refuse(403, 'no-organization')
  if (route.permission && !viewer.permissions.includes(route.permission)) return refuse(403, 'forbidden')
  const id = decodeURIComponent(route.path.exec(pathname)?.[1] ?? '')
  return route
    .handle({ viewer, organizationId: viewer.organizationId ?? '', id, reports: options.reports })
    .catch(() => refuse(500, 'internal'))
}

async function viewerOf(request: Request, { authorizedParties }: Options): Promise<Viewer | null> {
  const [scheme, token] = (request.headers.get('authorization') ?? '').split(' ')
  if (scheme !== 'Bearer' || !token) return null
  try {
    const claims = decodeJwt(token).payload as Claims
    if (claims.exp * 1000 < Date.now()) return null
    if (claims.azp && !authorizedParties.includes(claims.azp)) return null
    return claims.sts === 'pending' ? null : viewerIn(claims)
  } catch {
    return null
  }
}

function viewerIn(claims: Claims): Viewer {
  if (claims.v !== 2) {
    const { sub, org_id, org_role, org_permissions } = claims as Claims & Record<string, any>
    return { userId: sub, organizationId: org_id ?? null, role: org_role ?? null, permissions: org_permissions ?? [] }
  }
  const { sub, o, fea = '' } = claims as Claims & { o?: Record<string, string>; fea?: string }
  if (!o) return { userId: sub, organizationId: null, role: null, permissions: [] }
  const names = o.per?.split(',') ?? []
  const features = fea.split(',').filter((feature) => feature.split(':')[0].includes('o'))
  const masks = o.fpm?.split(',').map(Number) ?? []
  const permissions = features.flatMap((feature, place) =>
    names.filter((_, bit) => (masks[place] >> bit) & 1).map((name) => `org:${feature.split(':')[1]}:${name}`),
  )
  return { userId: sub, organizationId: o.id, role: `org:${o.rol}`, permissions }
}
