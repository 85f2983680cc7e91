/** Clerk's backend API, answered in memory. Every other address is unreachable. */
import { publicKeySet } from './session'

const API_ORIGIN = 'https://api.clerk.com'

export interface ApiUser {
  id: string
  firstName: string
  lastName: string
  email: string
  publicMetadata?: Record<string, unknown>
  privateMetadata?: Record<string, unknown>
}

interface ApiCall {
  method: string
  path: string
}

const users = new Map<string, ApiUser>()
const writes: ApiCall[] = []
let broken = false

export function addUser(user: ApiUser): ApiUser {
  users.set(user.id, structuredClone(user))
  return user
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
  broken = true
}

export function resetClerkApi(): void {
  users.clear()
  writes.length = 0
  broken = false
}

export async function answerClerkApi(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
  if (url.origin !== API_ORIGIN) throw new TypeError(`fetch failed: no network for ${url.origin}`)
  if (url.pathname === '/v1/jwks') return Response.json(publicKeySet())
  if (method !== 'GET') writes.push({ method, path: url.pathname })
  if (broken) return apiError(500, 'internal_error')

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

/** `PATCH /users/{id}/metadata` merges; a null removes the key. */
function merge(user: ApiUser, body: Record<string, any>): void {
  const merged = { ...user.publicMetadata, ...body.public_metadata }
  user.publicMetadata = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

/** `PATCH /users/{id}` replaces the metadata it is given. */
function replace(user: ApiUser, body: Record<string, any>): void {
  if (body.public_metadata) user.publicMetadata = body.public_metadata
  if (body.first_name) user.firstName = body.first_name
  if (body.last_name) user.lastName = body.last_name
}

function apiError(status: number, code: string): Response {
  return Response.json({ errors: [{ code, message: code, long_message: code, meta: {} }] }, { status })
}

function userResource(user: ApiUser) {
  return {
    object: 'user',
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    username: null,
    image_url: 'https://img.example.test/avatar.png',
    has_image: false,
    primary_email_address_id: 'idn_primary',
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    // The primary address comes second on purpose: taking the first one is a mistake.
    email_addresses: [emailResource('idn_other', `old-${user.email}`), emailResource('idn_primary', user.email)],
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
    last_active_at: 1_700_000_000_000,
    created_at: 1_700_000_000_000,
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
