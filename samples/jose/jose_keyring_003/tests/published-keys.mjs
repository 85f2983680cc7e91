/** Keys and signatures made without help from any library. */
import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'

export const ISSUER = 'https://login.example.test'
export const AUDIENCE = 'https://api.example.test'

/** By RFC 7638: the required members in the order of their names. */
export function thumbprint({ crv, kty, x, y }) {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

/** A key as it is published, and what signs with it. */
export function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  return { privateKey, published: { ...jwk, kid: thumbprint(jwk), alg: 'ES256', use: 'sig' } }
}

export function goodClaims(more = {}) {
  const now = Math.floor(Date.now() / 1000)
  return { iss: ISSUER, aud: AUDIENCE, sub: 'ada', scope: 'read write', iat: now, exp: now + 60, jti: randomUUID(), ...more }
}

export function signed({ privateKey, published }, claims = goodClaims(), header = {}) {
  const parts = [{ alg: 'ES256', typ: 'at+jwt', kid: published.kid, ...header }, claims]
  const unsigned = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(unsigned), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${unsigned}.${signature.toString('base64url')}`
}

/** A token's header and claims, and whether one of the published keys, the one it names, has signed it. */
export function read(token, { keys }) {
  const [first, second, signature] = token.split('.')
  const [header, claims] = [first, second].map((part) => JSON.parse(Buffer.from(part, 'base64url')))
  const jwk = keys.find(({ kid }) => kid === header.kid)
  const key = jwk && { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
  const isSigned = key !== undefined && verify('sha256', Buffer.from(`${first}.${second}`), key, Buffer.from(signature, 'base64url'))
  return { header, claims, isSigned }
}
