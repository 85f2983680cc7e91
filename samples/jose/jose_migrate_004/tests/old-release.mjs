/** Keys, tokens and invitations as our releases with jose 2 made them, without help from any library. */
import { createCipheriv, createDecipheriv, createHash, createHmac, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'

export const ISSUER = 'https://login.example.test'
export const SECRET = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoyMzQ1Njc'

/** An EC key as PEM, with its id. */
export function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { kid, privateKey, jwk: { crv, kty, x, y }, pem: privateKey.export({ format: 'pem', type: 'pkcs8' }) }
}

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (text) => JSON.parse(Buffer.from(text, 'base64url'))

export function goodClaims(more = {}) {
  const now = Math.floor(Date.now() / 1000)
  return { iss: ISSUER, aud: 'shop', sub: 'ada', roles: ['buyer'], iat: now - 60, exp: now + 60, ...more }
}

export function signed({ kid, privateKey }, claims = goodClaims(), header = {}) {
  const unsigned = `${encoded({ alg: 'ES256', kid, ...header })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(unsigned), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${unsigned}.${signature.toString('base64url')}`
}

export function read(token) {
  const [header, claims] = token.split('.')
  return { header: decoded(header), claims: decoded(claims) }
}

export function isSignedWith(token, { jwk }) {
  const [header, claims, signature] = token.split('.')
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
  return verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
}

export function sealed(data, { secret = SECRET } = {}) {
  const header = encoded({ alg: 'dir', enc: 'A256GCM' })
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(secret, 'base64url'), iv).setAAD(Buffer.from(header))
  const text = Buffer.concat([cipher.update(JSON.stringify(data)), cipher.final()])
  return [header, '', ...[iv, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}

/** With the right secret, but AES-CBC. */
export function chained(data) {
  const header = encoded({ alg: 'dir', enc: 'A128CBC-HS256' })
  const [iv, secret, size] = [randomBytes(16), Buffer.from(SECRET, 'base64url'), Buffer.alloc(8)]
  const cipher = createCipheriv('aes-128-cbc', secret.subarray(16), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(data)), cipher.final()])
  size.writeUInt32BE(header.length * 8, 4)
  const mac = createHmac('sha256', secret.subarray(0, 16)).update(Buffer.concat([Buffer.from(header), iv, text, size])).digest()
  return [header, '', ...[iv, text, mac.subarray(0, 16)].map((part) => part.toString('base64url'))].join('.')
}

export function unsealed(invitation, secret = SECRET) {
  const [header, key, ...parts] = invitation.split('.')
  const [iv, text, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
  const cipher = createDecipheriv('aes-256-gcm', Buffer.from(secret, 'base64url'), iv).setAAD(Buffer.from(header)).setAuthTag(tag)
  return { header: decoded(header), key, data: JSON.parse(Buffer.concat([cipher.update(text), cipher.final()])) }
}
