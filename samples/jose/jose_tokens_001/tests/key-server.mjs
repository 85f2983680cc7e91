/** Publishes a key set on the loopback interface, and signs tokens without help from any library. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'

export const KEY_ID = 'key-1'
export const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const otherKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

export async function startKeyServer() {
  const state = { requests: 0, status: 200 }
  const server = createServer((request, response) => {
    state.requests += 1
    const key = { ...keys.publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'ES256' }
    response.writeHead(state.status, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify({ keys: [key] }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const jwksUrl = `http://127.0.0.1:${server.address().port}/.well-known/jwks.json`
  return { state, jwksUrl, stop: () => new Promise((resolve) => server.close(resolve)) }
}

/** Claims that every check accepts. */
export function goodClaims(more = {}) {
  const now = Math.floor(Date.now() / 1000)
  return { iss: 'https://login.example.test', aud: 'shop', sub: 'ada', iat: now, exp: now + 60, roles: ['buyer'], ...more }
}

export function signed(claims, { key = keys.privateKey, header = {} } = {}) {
  const unsigned = encode({ alg: 'ES256', kid: KEY_ID, ...header }, claims)
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** Signed with the public key as if it were a shared secret. */
export function confused(claims) {
  const unsigned = encode({ alg: 'HS256', kid: KEY_ID }, claims)
  const secret = keys.publicKey.export({ format: 'pem', type: 'spki' })
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}

export function unsigned(claims) {
  return `${encode({ alg: 'none', kid: KEY_ID }, claims)}.`
}

function encode(...parts) {
  return parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}
