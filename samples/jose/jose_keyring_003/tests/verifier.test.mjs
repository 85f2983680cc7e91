import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createVerifier, Refused } from '../expected/src/verifier.js'
import { AUDIENCE, goodClaims, ISSUER, newKey, signed } from './published-keys.mjs'

const [first, second] = [newKey(), newKey()]
let source

beforeEach(() => {
  source = { keys: [first.published], loads: 0, isDown: false }
})

async function load() {
  source.loads += 1
  if (source.isDown) throw new Error('the key server is down')
  return { keys: source.keys }
}

const verifier = () => createVerifier({ load, issuer: ISSUER, audience: AUDIENCE })

async function assertRefused(checked, code) {
  await assert.rejects(checked, (error) => {
    assert.ok(error instanceof Refused, `not Refused but ${error}`)
    assert.equal(error.code, code)
    return true
  })
}

test('a good token says who may do what', async () => {
  assert.deepEqual(await verifier()(signed(first)), { subject: 'ada', scopes: ['read', 'write'] })
  assert.deepEqual(await verifier()(signed(first, goodClaims({ scope: '' }))), { subject: 'ada', scopes: [] })
})

test('a required scope must be there as a whole', async () => {
  const verify = verifier()
  assert.deepEqual((await verify(signed(first), 'write')).scopes, ['read', 'write'])
  await assertRefused(verify(signed(first), 'writ'), 'forbidden')
  await assertRefused(verify(signed(first, goodClaims({ scope: '' })), 'read'), 'forbidden')
})

test('an expired token is told apart', async () => {
  const past = Math.floor(Date.now() / 1000) - 100
  await assertRefused(verifier()(signed(first, goodClaims({ exp: past })), 'admin'), 'expired')
})

test('clocks may differ a little', async () => {
  const now = Math.floor(Date.now() / 1000)
  assert.equal((await verifier()(signed(first, goodClaims({ exp: now - 10 })))).subject, 'ada')
  await assertRefused(verifier()(signed(first, goodClaims({ exp: now - 31 }))), 'expired')
})

test('wrong and missing claims are refused', async () => {
  const verify = verifier()
  const wrong = [{ iss: 'https://evil.example.test' }, { aud: 'bank' }, { exp: undefined }, { sub: undefined }, { scope: undefined }, { scope: 7 }]
  for (const claims of wrong) await assertRefused(verify(signed(first, goodClaims(claims))), 'invalid')
})

test('a token of another type is refused', async () => {
  await assertRefused(verifier()(signed(first, goodClaims(), { typ: 'JWT' })), 'invalid')
  await assertRefused(verifier()(signed(first, goodClaims(), { typ: undefined })), 'invalid')
})

test('wrong signatures and other algorithms are refused', async () => {
  const verify = verifier()
  const [header, , signature] = signed(first).split('.')
  const [, claims] = signed(first, goodClaims({ sub: 'root' })).split('.')
  const unsigned = signed(first, goodClaims(), { alg: 'none' }).replace(/[^.]*$/, '')
  const other = signed({ ...first, privateKey: second.privateKey })
  for (const token of [`${header}.${claims}.${signature}`, unsigned, other, 'no token', '']) await assertRefused(verify(token), 'invalid')
})

test('the key set is loaded when it is needed, and kept', async () => {
  const verify = verifier()
  assert.equal(source.loads, 0)
  for (let count = 0; count < 3; count += 1) await verify(signed(first))
  await assertRefused(verify(signed({ ...first, privateKey: second.privateKey })), 'invalid')
  assert.equal(source.loads, 1)
})

test('tokens that come together share one load', async () => {
  const verify = verifier()
  const answers = await Promise.all([verify(signed(first)), verify(signed(first)), verify(signed(first))])
  assert.deepEqual(answers.map(({ subject }) => subject), ['ada', 'ada', 'ada'])
  assert.equal(source.loads, 1)
})

test('a newer key is found by loading again', async () => {
  const verify = verifier()
  await verify(signed(first))
  source.keys = [second.published, first.published]
  assert.equal((await verify(signed(second))).subject, 'ada')
  await verify(signed(first))
  assert.equal(source.loads, 2)
})

test('an unknown key is looked for once, and refused', async () => {
  const verify = verifier()
  await verify(signed(first))
  await assertRefused(verify(signed(second)), 'invalid')
  assert.equal(source.loads, 2)
})

test('a retired key counts no longer', async () => {
  const verify = verifier()
  await verify(signed(first))
  source.keys = [second.published]
  await verify(signed(second))
  await assertRefused(verify(signed(first)), 'invalid')
})

test('kept keys stay in use while the key server is down', async () => {
  const verify = verifier()
  await verify(signed(first))
  source.isDown = true
  await assertRefused(verify(signed(second)), 'invalid')
  assert.equal((await verify(signed(first))).subject, 'ada')
})

test('without any keys the reason is told, and the next token tries again', async () => {
  const verify = verifier()
  source.isDown = true
  await assertRefused(verify(signed(first)), 'no_keys')
  source.isDown = false
  assert.equal((await verify(signed(first))).subject, 'ada')
})
