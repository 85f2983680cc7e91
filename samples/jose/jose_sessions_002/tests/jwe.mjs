/** Tokens encrypted and decrypted as the standard says, without help from any library. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

export const KEYS = [
  { id: 'k2', secret: 'MjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjI' },
  { id: 'k1', secret: 'MTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTE' },
]

const bytes = (text) => Buffer.from(text, 'base64url')
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const joined = (...parts) => parts.map((part) => (typeof part === 'string' ? part : part.toString('base64url'))).join('.')

export function now() {
  return Math.floor(Date.now() / 1000)
}

export function goodClaims(more = {}) {
  return { iss: 'shop', iat: now() - 10, exp: now() + 100, data: { user: 'ada' }, ...more }
}

function gcm(key, protectedHeader, claims) {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(protectedHeader))
  const text = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()])
  return [iv, text, cipher.getAuthTag()]
}

/** As our sessions are sealed. */
export function sealed(claims = goodClaims(), { header = {}, secret = KEYS[0].secret } = {}) {
  const protectedHeader = encoded({ alg: 'dir', enc: 'A256GCM', kid: 'k2', ...header })
  return joined(protectedHeader, '', ...gcm(bytes(secret), protectedHeader, claims))
}

/** With the right secret, which wraps a key of the message's own. */
export function wrapped(claims = goodClaims()) {
  const protectedHeader = encoded({ alg: 'A256KW', enc: 'A256GCM', kid: 'k2' })
  const own = randomBytes(32)
  const wrap = createCipheriv('id-aes256-wrap', bytes(KEYS[0].secret), Buffer.alloc(8, 0xa6))
  return joined(protectedHeader, Buffer.concat([wrap.update(own), wrap.final()]), ...gcm(own, protectedHeader, claims))
}

/** With the right secret, half of which is for AES-CBC, half for the signature. */
export function chained(claims = goodClaims()) {
  const protectedHeader = encoded({ alg: 'dir', enc: 'A128CBC-HS256', kid: 'k2' })
  const [iv, secret] = [randomBytes(16), bytes(KEYS[0].secret)]
  const cipher = createCipheriv('aes-128-cbc', secret.subarray(16), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()])
  const size = Buffer.alloc(8)
  size.writeUInt32BE(protectedHeader.length * 8, 4)
  const mac = createHmac('sha256', secret.subarray(0, 16)).update(Buffer.concat([Buffer.from(protectedHeader), iv, text, size]))
  return joined(protectedHeader, '', iv, text, mac.digest().subarray(0, 16))
}

/** Signed with the right secret, for all to read. */
export function signed(claims = goodClaims()) {
  const unsigned = joined(encoded({ alg: 'HS256', kid: 'k2' }), encoded(claims))
  return joined(unsigned, createHmac('sha256', bytes(KEYS[0].secret)).update(unsigned).digest())
}

export function unsealed(token, secret = KEYS[0].secret) {
  const [protectedHeader, key, iv, text, tag] = token.split('.')
  const cipher = createDecipheriv('aes-256-gcm', bytes(secret), bytes(iv)).setAAD(Buffer.from(protectedHeader)).setAuthTag(bytes(tag))
  const claims = JSON.parse(Buffer.concat([cipher.update(bytes(text)), cipher.final()]))
  return { header: JSON.parse(bytes(protectedHeader)), key, claims }
}
