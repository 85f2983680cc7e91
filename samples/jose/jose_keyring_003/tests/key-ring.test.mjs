import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issue } from '../expected/src/issuer.js'
import { createKeyRing, openKeyRing } from '../expected/src/key-ring.js'
import { AUDIENCE, ISSUER, read, thumbprint } from './published-keys.mjs'

const grant = { issuer: ISSUER, subject: 'ada', audience: AUDIENCE, scopes: ['read', 'write'] }

test('a new key ring has one key, and publishes its public part', async () => {
  const ring = await createKeyRing()
  const { keys } = ring.published()
  assert.equal(keys.length, 1)
  assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  const { kty, crv, alg, use } = keys[0]
  assert.deepEqual({ kty, crv, alg, use }, { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
})

test('the id of a key is its thumbprint', async () => {
  const ring = await createKeyRing()
  const [key] = ring.published().keys
  assert.equal(key.kid, thumbprint(key))
  assert.equal(ring.current().kid, key.kid)
})

test('a new key is current, and comes first', async () => {
  const ring = await createKeyRing()
  const old = ring.current().kid
  const made = await ring.rotate()
  assert.notEqual(made, old)
  assert.equal(ring.current().kid, made)
  assert.deepEqual(ring.published().keys.map(({ kid }) => kid), [made, old])
})

test('a retired key is gone', async () => {
  const ring = await createKeyRing()
  const first = ring.current().kid
  const second = await ring.rotate()
  const third = await ring.rotate()
  assert.equal(ring.retire(second), true)
  assert.deepEqual(ring.published().keys.map(({ kid }) => kid), [third, first])
  assert.equal(ring.retire(second), false)
})

test('the current key can not be retired', async () => {
  const ring = await createKeyRing()
  const { kid } = ring.current()
  assert.throws(() => ring.retire(kid), { message: 'The current key can not be retired.' })
  assert.equal(ring.published().keys.length, 1)
})

test('a saved key ring can be opened again', async () => {
  const ring = await createKeyRing()
  await ring.rotate()
  const again = await openKeyRing(JSON.parse(JSON.stringify(await ring.saved())))
  assert.deepEqual(again.published(), ring.published())
  assert.equal(read(await issue(again, grant), ring.published()).isSigned, true)
})

test('tokens are signed with the current key', async () => {
  const ring = await createKeyRing()
  const early = await issue(ring, grant)
  const kid = await ring.rotate()
  const late = await issue(ring, grant)
  assert.deepEqual([read(early, ring.published()).isSigned, read(late, ring.published()).isSigned], [true, true])
  assert.deepEqual(read(late, ring.published()).header, { alg: 'ES256', kid, typ: 'at+jwt' })
})

test('a token says who may do what, and how long', async () => {
  const started = Math.floor(Date.now() / 1000)
  const ring = await createKeyRing()
  const { iss, sub, aud, scope, iat, exp } = read(await issue(ring, grant), ring.published()).claims
  assert.deepEqual({ iss, sub, aud, scope }, { iss: ISSUER, sub: 'ada', aud: AUDIENCE, scope: 'read write' })
  assert.equal(exp - iat, 300)
  assert.ok(iat >= started && iat <= Date.now() / 1000, `iat is ${iat}, not the present`)
})

test('each token has an id of its own', async () => {
  const ring = await createKeyRing()
  const ids = [await issue(ring, grant), await issue(ring, grant)].map((token) => read(token, ring.published()).claims.jti)
  assert.match(ids[0], /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.notEqual(ids[0], ids[1])
})
