import assert from 'node:assert/strict'
import { verify as verifySignature } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createVerifier, issueToken, TokenError } from '../expected/src/tokens.js'
import { confused, goodClaims, KEY_ID, keys, otherKeys, signed, startKeyServer, unsigned } from './key-server.mjs'

const issuer = 'https://login.example.test'
const audience = 'shop'
let server

before(async () => {
  server = await startKeyServer()
})
after(() => server.stop())

function verifier() {
  return createVerifier({ jwksUrl: server.jwksUrl, issuer, audience })
}

function issue(user) {
  const privateKey = keys.privateKey.export({ format: 'pem', type: 'pkcs8' })
  return issueToken(user, { privateKey, keyId: KEY_ID, issuer, audience, lifetimeSeconds: 90 })
}

async function assertRefused(token, code) {
  await assert.rejects(verifier()(token), (error) => {
    assert.ok(error instanceof TokenError, `not a TokenError but ${error}`)
    assert.equal(error.code, code)
    return true
  })
}

test('an issued token carries the agreed header and claims', async () => {
  const started = Math.floor(Date.now() / 1000)
  const [header, claims, signature] = (await issue({ subject: 'ada', roles: ['buyer', 'admin'] })).split('.')
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url'))
  assert.deepEqual({ alg, kid }, { alg: 'ES256', kid: KEY_ID })
  const { iss, aud, sub, roles, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url'))
  assert.deepEqual({ iss, aud: [aud].flat(), sub, roles }, { iss: issuer, aud: [audience], sub: 'ada', roles: ['buyer', 'admin'] })
  assert.ok(iat >= started && iat <= started + 5, 'iat is not the present')
  assert.ok(Math.abs(exp - started - 90) <= 5, 'exp is not the present plus the lifetime')
  const key = { key: keys.publicKey, dsaEncoding: 'ieee-p1363' }
  assert.ok(verifySignature('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')))
})

test('a good token gives its user', async () => {
  assert.deepEqual(await verifier()(await issue({ subject: 'bob', roles: [] })), { subject: 'bob', roles: [] })
  assert.deepEqual(await verifier()(signed(goodClaims())), { subject: 'ada', roles: ['buyer'] })
  assert.deepEqual(await verifier()(signed(goodClaims({ roles: undefined }))), { subject: 'ada', roles: [] })
})

test('an expired token is told apart', async () => {
  const past = Math.floor(Date.now() / 1000) - 3600
  await assertRefused(signed(goodClaims({ iat: past, exp: past + 60 })), 'expired')
})

test('wrong or missing claims are refused', async () => {
  for (const claims of [{ iss: 'https://evil.example.test' }, { aud: 'bank' }, { sub: undefined }, { exp: undefined }]) {
    await assertRefused(signed(goodClaims(claims)), 'invalid')
  }
})

test('wrong signatures and unknown keys are refused', async () => {
  const [header, , signature] = signed(goodClaims()).split('.')
  const swapped = Buffer.from(JSON.stringify(goodClaims({ sub: 'root' }))).toString('base64url')
  await assertRefused(`${header}.${swapped}.${signature}`, 'invalid')
  await assertRefused(signed(goodClaims(), { key: otherKeys.privateKey }), 'invalid')
  await assertRefused(signed(goodClaims(), { key: otherKeys.privateKey, header: { kid: 'key-2' } }), 'invalid')
})

test('other algorithms and things that are no token are refused', async () => {
  for (const token of [unsigned(goodClaims()), confused(goodClaims()), 'no token', '']) {
    await assertRefused(token, 'invalid')
  }
})

test('the key set is not fetched for every token', async () => {
  const verify = verifier()
  const before = server.state.requests
  for (let count = 0; count < 5; count += 1) await verify(signed(goodClaims()))
  assert.equal(server.state.requests - before, 1)
})

test('a key set that can not be fetched is told apart', async () => {
  server.state.status = 503
  try {
    await assertRefused(signed(goodClaims()), 'unavailable')
  } finally {
    server.state.status = 200
  }
  const gone = await startKeyServer()
  await gone.stop()
  const verify = createVerifier({ jwksUrl: gone.jwksUrl, issuer, audience })
  await assert.rejects(verify(signed(goodClaims())), { code: 'unavailable' })
})
