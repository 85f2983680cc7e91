import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invite, readInvite } from '../expected/src/invites.js'
import { chained, SECRET, sealed, unsealed } from './old-release.mjs'

test('an invitation is sealed as before', async () => {
  const { header, key, data } = unsealed(await invite(SECRET, { room: 7, from: 'ada ü' }))
  assert.deepEqual({ header, key }, { header: { alg: 'dir', enc: 'A256GCM' }, key: '' })
  assert.deepEqual(data, { room: 7, from: 'ada ü' })
})

test('old and new invitations open', async () => {
  assert.deepEqual(await readInvite(SECRET, sealed({ room: 7 })), { room: 7 })
  assert.deepEqual(await readInvite(SECRET, await invite(SECRET, { room: 8 })), { room: 8 })
})

test('an invitation that was changed, or sealed with another secret, does not open', async () => {
  const [parts, others] = [sealed({ room: 7 }), sealed({ room: 9 })].map((text) => text.split('.'))
  assert.equal(await readInvite(SECRET, [...parts.slice(0, 3), others[3], parts[4]].join('.')), null)
  assert.equal(await readInvite(SECRET, sealed({ room: 7 }, { secret: SECRET.replace('Q', 'R') })), null)
})

test('an invitation that was sealed in another way does not open', async () => {
  assert.equal(await readInvite(SECRET, chained({ room: 7 })), null)
})

test('what is no invitation does not open', async () => {
  for (const text of ['', 'hello', 'a.b.c']) assert.equal(await readInvite(SECRET, text), null)
})
