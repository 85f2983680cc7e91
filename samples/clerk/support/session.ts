/** Session tokens as Clerk issues them, signed with a key made for this test run. */
import { createSign, generateKeyPairSync } from 'node:crypto'

const KEY_ID = 'ins_example'
const genuine = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })

export interface Session {
  userId: string
  sessionId: string
  claims: Record<string, unknown>
  token: string
}

export interface SessionOptions {
  /** Role in the active organisation, such as `org:admin`. */
  orgRole?: string
  /** What this role permits, such as `org:invoices:read`. */
  orgPermissions?: string[]
  /** The active organisation, where there is a role: `org_acme` unless it is here. */
  orgId?: string
  /** More claims, or others than these. */
  claims?: Record<string, unknown>
  /** Sign with a key that Clerk doesn't know. */
  forged?: boolean
  expired?: boolean
}

export function publicKeySet() {
  return { keys: [{ ...genuine.publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] }
}

/** The public key as Clerk's dashboard shows it, for those who verify tokens without asking for it. */
export function publicKeyPem(): string {
  return genuine.publicKey.export({ type: 'spki', format: 'pem' }) as string
}

export function sessionOf(userId: string, options: SessionOptions = {}): Session {
  const now = Math.floor(Date.now() / 1000)
  const issued = options.expired ? now - 7200 : now - 10
  const sessionId = `sess_${userId.replace(/^user_/, '')}`
  const claims: Record<string, unknown> = {
    iss: 'https://clerk.example.test',
    sub: userId,
    sid: sessionId,
    iat: issued,
    nbf: issued,
    exp: issued + 3600,
    sts: 'active',
  }
  if (options.orgRole) {
    const { orgRole, orgPermissions = [], orgId = 'org_acme' } = options
    const slug = orgId.replace(/^org_/, '')
    Object.assign(claims, { org_id: orgId, org_slug: slug, org_role: orgRole, org_permissions: orgPermissions })
  }
  Object.assign(claims, options.claims)
  const signer = options.forged ? foreign : genuine
  const unsigned = [{ alg: 'RS256', kid: KEY_ID, typ: 'JWT' }, claims].map(base64url).join('.')
  const signature = createSign('RSA-SHA256').update(unsigned).sign(signer.privateKey, 'base64url')
  return { userId, sessionId, claims, token: `${unsigned}.${signature}` }
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
