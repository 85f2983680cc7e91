import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { openKeys, publicKeys, signIn, whoIs } from '../expected/src/auth.js'
import { goodClaims, ISSUER, isSignedWith, newKey, read, signed } from './old-release.mjs'

const [newest, older, strange] = [newKey(), newKey(), newKey()]
const opened = () => openKeys([newest.pem, older.pem])
const ask = async (token) => whoIs(await opened(), token, 'shop')
const known = { subject: 'ada', roles: ['buyer'] }
const ago = (seconds) => Math.floor(Date.now() / 1000) - seconds

test('the published keys are the public parts, under their old ids', async () => {
  const { keys } = await publicKeys(await opened())
  assert.deepEqual(keys, [
    { ...newest.jwk, kid: newest.kid, use: 'sig', alg: 'ES256' },
    { ...older.jwk, kid: older.kid, use: 'sig', alg: 'ES256' },
  ])
})

test('a new token is signed with the first key, and names it', async () => {
  const token = await signIn(await opened(), { subject: 'ada', roles: ['buyer'] }, 'shop')
  const { alg, kid } = read(token).header
  assert.deepEqual({ alg, kid }, { alg: 'ES256', kid: newest.kid })
  assert.equal(isSignedWith(token, newest), true)
})

test('a new token carries what it did before', async () => {
  const started = ago(0)
  const token = await signIn(await opened(), { subject: 'bob', roles: ['admin', 'buyer'] }, 'shop')
  const { iss, aud, sub, roles, iat, exp } = read(token).claims
  assert.deepEqual({ iss, aud, sub, roles }, { iss: ISSUER, aud: 'shop', sub: 'bob', roles: ['admin', 'buyer'] })
  assert.ok(iat >= started && iat <= ago(0), `iat is ${iat}, not the present`)
  assert.ok(Math.abs(exp - iat - 7200) <= 1, `exp is ${exp - iat} seconds from iat`)
})

test('a new token is known', async () => {
  const keys = await opened()
  assert.deepEqual(await whoIs(keys, await signIn(keys, known, 'shop'), 'shop'), { subject: 'ada', roles: ['buyer'] })
})

test('tokens of either key are known', async () => {
  assert.deepEqual(await ask(signed(newest)), { subject: 'ada', roles: ['buyer'] })
  assert.deepEqual(await ask(signed(older)), { subject: 'ada', roles: ['buyer'] })
})

test('tokens of the first release, without the id of a key, are known', async () => {
  assert.deepEqual(await ask(signed(newest, goodClaims(), { kid: undefined })), { subject: 'ada', roles: ['buyer'] })
  assert.deepEqual(await ask(signed(older, goodClaims(), { kid: undefined })), { subject: 'ada', roles: ['buyer'] })
})

test('tokens without the id of a key are checked like any other', async () => {
  assert.equal(await ask(signed(strange, goodClaims(), { kid: undefined })), null)
  assert.equal(await ask(signed(newest, goodClaims({ aud: 'bank' }), { kid: undefined })), null)
  assert.deepEqual(await ask(signed(older, goodClaims({ exp: ago(50) }), { kid: undefined })), { expired: true })
})

test('an expired token is told apart', async () => {
  assert.deepEqual(await ask(signed(newest, goodClaims({ exp: ago(30) }))), { expired: true })
})

test('a token more than a day old is nobody’s, whatever it says itself', async () => {
  assert.equal(await ask(signed(newest, goodClaims({ iat: ago(86_500) }))), null)
  assert.deepEqual(await ask(signed(newest, goodClaims({ iat: ago(86_000) }))), { subject: 'ada', roles: ['buyer'] })
  assert.equal(await ask(signed(newest, goodClaims({ iat: undefined }))), null)
})

test('clocks may differ a little', async () => {
  assert.deepEqual(await ask(signed(newest, goodClaims({ nbf: ago(-5) }))), { subject: 'ada', roles: ['buyer'] })
  assert.equal(await ask(signed(newest, goodClaims({ nbf: ago(-60) }))), null)
})

test('tokens of others, or for others, are nobody’s', async () => {
  assert.equal(await ask(signed(newest, goodClaims({ iss: 'https://evil.example.test' }))), null)
  assert.equal(await ask(signed(newest, goodClaims({ aud: 'bank' }))), null)
  assert.equal(await ask(signed(strange)), null)
  assert.equal(await ask(signed({ ...strange, kid: newest.kid })), null)
})

test('what is no good token is nobody’s', async () => {
  const [header, , signature] = signed(newest).split('.')
  const [, claims] = signed(newest, goodClaims({ sub: 'root' })).split('.')
  const [unsigned] = signed(newest, goodClaims(), { alg: 'none' }).split(/[^.]*$/)
  const start = signed(newest, goodClaims(), { alg: 'HS256' }).split('.').slice(0, 2).join('.')
  const confused = `${start}.${createHmac('sha256', newest.pem).update(start).digest('base64url')}`
  for (const token of [`${header}.${claims}.${signature}`, unsigned, confused, 'no token', '']) assert.equal(await ask(token), null)
})
