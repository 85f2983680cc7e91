import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSessions } from '../expected/src/sessions.js'
import { chained, goodClaims, KEYS, now, sealed, signed, unsealed, wrapped } from './jwe.mjs'

const sessions = (more = {}) => createSessions({ keys: KEYS, issuer: 'shop', maxAgeSeconds: 600, ...more })
const opened = (token) => sessions().open(token)

test('a session is sealed as agreed', async () => {
  const { header, key, claims } = unsealed(await sessions().seal({ user: 'ada', cart: [1, 2] }))
  assert.deepEqual({ alg: header.alg, enc: header.enc, kid: header.kid, key }, { alg: 'dir', enc: 'A256GCM', kid: 'k2', key: '' })
  assert.equal(claims.iss, 'shop')
  assert.deepEqual(claims.data, { user: 'ada', cart: [1, 2] })
})

test('a session ends when it is old enough', async () => {
  const started = now()
  const { claims } = unsealed(await sessions().seal({}))
  assert.equal(claims.exp - claims.iat, 600)
  assert.ok(claims.iat >= started && claims.iat <= now(), `iat is ${claims.iat}, not ${started}`)
})

test('no two cookies are alike', async () => {
  const own = sessions()
  assert.notEqual(await own.seal({ user: 'ada' }), await own.seal({ user: 'ada' }))
})

test('what was sealed can be opened', async () => {
  const own = sessions()
  assert.deepEqual(await own.open(await own.seal({ user: 'bob' })), { data: { user: 'bob' }, renew: false })
  assert.deepEqual(await opened(sealed()), { data: { user: 'ada' }, renew: false })
})

test('a session of an older key is opened, and is to be renewed', async () => {
  const token = sealed(goodClaims(), { header: { kid: 'k1' }, secret: KEYS[1].secret })
  assert.deepEqual(await opened(token), { data: { user: 'ada' }, renew: true })
})

test('a session is to be renewed when half of its time is over', async () => {
  assert.deepEqual(await opened(sealed(goodClaims({ iat: now() - 70, exp: now() + 50 }))), { data: { user: 'ada' }, renew: true })
  assert.deepEqual(await opened(sealed(goodClaims({ iat: now() - 50, exp: now() + 70 }))), { data: { user: 'ada' }, renew: false })
})

test('an expired session is none', async () => {
  assert.equal(await opened(sealed(goodClaims({ iat: now() - 700, exp: now() - 100 }))), null)
})

test('sessions without times are none', async () => {
  assert.equal(await opened(sealed(goodClaims({ exp: undefined }))), null)
  assert.equal(await opened(sealed(goodClaims({ iat: undefined }))), null)
})

test('a session of another issuer is none', async () => {
  assert.equal(await opened(sealed(goodClaims({ iss: 'bank' }))), null)
  assert.equal(await opened(sealed(goodClaims({ iss: undefined }))), null)
})

test('unknown keys open nothing', async () => {
  assert.equal(await opened(sealed(goodClaims(), { header: { kid: 'k9' } })), null)
  assert.equal(await opened(sealed(goodClaims(), { header: { kid: undefined } })), null)
  assert.equal(await opened(sealed(goodClaims(), { header: { kid: 'k1' } })), null)
})

test('a changed session is none', async () => {
  const parts = sealed().split('.')
  const other = sealed(goodClaims({ data: { user: 'root' } })).split('.')
  for (const index of [2, 3, 4]) {
    assert.equal(await opened(parts.map((part, at) => (at === index ? other[at] : part)).join('.')), null)
  }
})

test('any other encryption is refused, even with our secret', async () => {
  assert.equal(await opened(chained()), null)
  assert.equal(await opened(wrapped()), null)
})

test('a token that is only signed is no session', async () => {
  assert.equal(await opened(signed()), null)
})

test('what browsers could send instead is no session', async () => {
  for (const text of [undefined, '', 'no token', '....', 'a.b.c.d.e']) assert.equal(await opened(text), null)
})

test('keys must be there and be long enough', () => {
  assert.throws(() => sessions({ keys: [] }), RangeError)
  assert.throws(() => sessions({ keys: [KEYS[0], { id: 'k0', secret: 'c2hvcnQ' }] }), RangeError)
  assert.throws(() => sessions({ keys: [{ id: 'k0', secret: `${KEYS[0].secret}${KEYS[0].secret}` }] }), RangeError)
})
