/** Clerk's backend API, answered in memory. Every other address is unreachable. */
import { publicKeySet } from './session'

const API_ORIGIN = 'https://api.clerk.com'

export interface ApiUser {
  id: string
  firstName: string | null
  lastName: string | null
  /** Null for somebody who has a phone number only. */
  email: string | null
  createdAt?: number
  lastActiveAt?: number | null
  publicMetadata?: Record<string, unknown>
  privateMetadata?: Record<string, unknown>
}

interface ApiCall {
  method: string
  path: string
}

/** A member of an organisation; the membership itself tells no more than this. */
export interface ApiMember {
  userId: string
  role: string
}

interface Refusal {
  status: number
  code: string
  retryAfter?: number
}

/** Answers a call, or gives null if it's none of its own. */
export type Answerer = (request: Request) => Response | null | Promise<Response | null>

const users = new Map<string, ApiUser>()
const writes: ApiCall[] = []
const organizations = new Map<string, ApiMember[]>()
let refusal: Refusal | null = null
let first: Answerer[] = []

/** Calls go to `answer` first until the test ends, whatever their address is. */
export function answerFirst(answer: Answerer): void {
  first.push(answer)
}

export function addUser(user: ApiUser): ApiUser {
  users.set(user.id, structuredClone(user))
  return user
}

/** An organisation and its members, who must have been added as users. */
export function addOrganization(id: string, members: ApiMember[]): void {
  organizations.set(id, structuredClone(members))
}

export function storedUser(id: string): ApiUser | undefined {
  return users.get(id)
}

/** Calls that asked the API to change something. */
export function apiWrites(): readonly ApiCall[] {
  return writes
}

/** From now on every call but the key request is answered with status 500. */
export function breakClerkApi(): void {
  refuseCalls({ status: 500, code: 'internal_error' })
}

/** The same with another status; `retryAfter` is in seconds. */
export function refuseCalls(answer: Refusal): void {
  refusal = answer
}

export function resetClerkApi(): void {
  users.clear()
  organizations.clear()
  writes.length = 0
  refusal = null
  first = []
}

export async function answerClerkApi(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  for (const answer of first) {
    const response = await answer(new Request(input instanceof Request ? input.clone() : input, init))
    if (response) return response
  }
  const url = new URL(input instanceof Request ? input.url : input)
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
  if (url.origin !== API_ORIGIN) throw new TypeError(`fetch failed: no network for ${url.origin}`)
  if (url.pathname === '/v1/jwks') return Response.json(publicKeySet())
  if (method !== 'GET') writes.push({ method, path: url.pathname })
  if (refusal) return apiError(refusal.status, refusal.code, refusal.retryAfter)
  if (method === 'GET') {
    const listed = answerList(url)
    if (listed) return listed
  }

  const match = /^\/v1\/users\/([^/]+)(\/metadata)?$/.exec(url.pathname)
  const user = match ? users.get(match[1]) : undefined
  if (!match || !user) return apiError(404, 'resource_not_found')
  if (method === 'GET') return Response.json(userResource(user))
  if (method === 'PATCH') {
    const body = await bodyOf(input, init)
    if (match[2]) merge(user, body)
    else replace(user, body)
    return Response.json(userResource(user))
  }
  return apiError(405, 'method_not_allowed')
}

async function bodyOf(input: RequestInfo | URL, init?: RequestInit): Promise<Record<string, any>> {
  const text = input instanceof Request ? await input.text() : String(init?.body ?? '{}')
  return JSON.parse(text)
}

/** Lists of users and of members, and the number of users; null for another address. */
function answerList({ pathname, searchParams }: URL): Response | null {
  const limit = Number(searchParams.get('limit') ?? 10)
  const offset = Number(searchParams.get('offset') ?? 0)
  if (!(limit >= 1 && limit <= 500 && offset >= 0)) return apiError(422, 'form_param_value_invalid')

  const found = [...users.values()].filter((user) => isAskedFor(user, searchParams))
  if (pathname === '/v1/users/count') return Response.json({ object: 'total_count', total_count: found.length })
  if (pathname === '/v1/users') {
    const order = orderOf(searchParams.get('order_by') ?? '-created_at')
    return Response.json(found.sort(order).slice(offset, offset + limit).map(userResource))
  }

  const members = organizations.get(/^\/v1\/organizations\/([^/]+)\/memberships$/.exec(pathname)?.[1] ?? '')
  if (!members) return null
  const data = members.slice(offset, offset + limit).map(membershipResource)
  return Response.json({ data, total_count: members.length })
}

function isAskedFor(user: ApiUser, searchParams: URLSearchParams): boolean {
  const ids = searchParams.getAll('user_id')
  const text = [user.id, user.firstName, user.lastName, user.email].join(' ').toLowerCase()
  return (ids.length === 0 || ids.includes(user.id)) && text.includes((searchParams.get('query') ?? '').toLowerCase())
}

/** An order such as `last_name`, or `-last_name` for the other way around. */
function orderOf(asked: string): (one: ApiUser, other: ApiUser) => number {
  const [, sign, name] = /^([+-]?)(\w+)$/.exec(asked) ?? []
  const valueOf = (user: ApiUser) => (userResource(user) as Record<string, any>)[name] ?? ''
  const direction = sign === '-' ? -1 : 1
  return (one, other) => direction * (valueOf(one) < valueOf(other) ? -1 : valueOf(one) > valueOf(other) ? 1 : 0)
}

/** `PATCH /users/{id}/metadata` merges; a null removes the key. */
function merge(user: ApiUser, body: Record<string, any>): void {
  user.publicMetadata = merged(user.publicMetadata, body.public_metadata)
  user.privateMetadata = merged(user.privateMetadata, body.private_metadata)
}

function merged(before: object | undefined, after: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...before, ...after }).filter(([, value]) => value !== null))
}

/** `PATCH /users/{id}` replaces the metadata it is given. */
function replace(user: ApiUser, body: Record<string, any>): void {
  if (body.public_metadata) user.publicMetadata = body.public_metadata
  if (body.private_metadata) user.privateMetadata = body.private_metadata
  if (body.first_name) user.firstName = body.first_name
  if (body.last_name) user.lastName = body.last_name
}

function apiError(status: number, code: string, retryAfter?: number): Response {
  const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) }
  return Response.json({ errors: [{ code, message: code, long_message: code, meta: {} }] }, { status, headers })
}

function userResource(user: ApiUser) {
  const { email, createdAt = 1_700_000_000_000, lastActiveAt = 1_700_000_000_000 } = user
  return {
    object: 'user',
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    username: null,
    image_url: 'https://img.example.test/avatar.png',
    has_image: false,
    primary_email_address_id: email === null ? null : 'idn_primary',
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    // The primary address comes second on purpose: taking the first one is a mistake.
    email_addresses:
      email === null ? [] : [emailResource('idn_other', `old-${email}`), emailResource('idn_primary', email)],
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    saml_accounts: [],
    public_metadata: user.publicMetadata ?? {},
    private_metadata: user.privateMetadata ?? {},
    unsafe_metadata: {},
    password_enabled: true,
    two_factor_enabled: false,
    totp_enabled: false,
    backup_code_enabled: false,
    banned: false,
    locked: false,
    create_organization_enabled: true,
    delete_self_enabled: true,
    last_sign_in_at: 1_700_000_000_000,
    last_active_at: lastActiveAt,
    created_at: createdAt,
    updated_at: 1_700_000_000_000,
  }
}

function emailResource(id: string, address: string) {
  return {
    object: 'email_address',
    id,
    email_address: address,
    verification: { status: 'verified', strategy: 'email_code', attempts: 1, expire_at: null },
    linked_to: [],
  }
}

function membershipResource({ userId, role }: ApiMember) {
  const user = users.get(userId)
  return {
    object: 'organization_membership',
    id: `orgmem_${userId.replace(/^user_/, '')}`,
    role,
    permissions: [],
    public_metadata: {},
    private_metadata: {},
    created_at: 1_700_000_000_000,
    updated_at: 1_700_000_000_000,
    organization: {
      object: 'organization',
      id: 'org_acme',
      name: 'Acme',
      slug: 'acme',
      image_url: 'https://img.example.test/organization.png',
      has_image: false,
      public_metadata: {},
      private_metadata: {},
      max_allowed_memberships: 0,
      admin_delete_enabled: true,
      created_at: 1_700_000_000_000,
      updated_at: 1_700_000_000_000,
    },
    public_user_data: {
      user_id: userId,
      identifier: user?.email ?? '',
      first_name: user?.firstName ?? null,
      last_name: user?.lastName ?? null,
      image_url: `https://img.example.test/${userId}.png`,
      has_image: true,
    },
  }
}
