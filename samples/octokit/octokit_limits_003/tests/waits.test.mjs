import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { waitFor } from '../expected/src/waits.js'

const NOW = 1_700_000_000_000
const about = (more = {}) => ({ method: 'GET', attempt: 1, now: NOW, ...more })
const error = (status, headers = {}, message = 'Forbidden') => ({ status, message, response: { headers } })
const spent = (reset) => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) })

describe('waits', () => {
  it('last as long as retry-after says', () => {
    assert.deepEqual(waitFor(error(403, { 'retry-after': '17' }), about()), { seconds: 17, reason: 'retry-after' })
    assert.deepEqual(waitFor(error(429, { 'retry-after': '5' }), about({ method: 'POST' })), { seconds: 5, reason: 'retry-after' })
  })

  it('last until a spent limit is renewed, and a second more', () => {
    assert.deepEqual(waitFor(error(403, spent(1_700_000_090)), about()), { seconds: 91, reason: 'limit' })
    assert.deepEqual(waitFor(error(429, spent(1_700_000_003)), about({ method: 'PUT' })), { seconds: 4, reason: 'limit' })
  })

  it('last a second if the limit should be renewed by now', () => {
    assert.deepEqual(waitFor(error(403, spent(1_699_999_000)), about()), { seconds: 1, reason: 'limit' })
  })

  it('follow retry-after rather than the limit', () => {
    const headers = { ...spent(1_700_000_090), 'retry-after': '30' }
    assert.deepEqual(waitFor(error(403, headers), about()), { seconds: 30, reason: 'retry-after' })
  })

  it('last a minute for a secondary limit that says no more', () => {
    const headers = { 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': '1700000090' }
    const message = 'You have exceeded a secondary rate limit. Please wait.'
    assert.deepEqual(waitFor(error(403, headers, message), about()), { seconds: 60, reason: 'secondary' })
    assert.deepEqual(waitFor(error(429, {}, 'Secondary Rate Limit hit'), about()), { seconds: 60, reason: 'secondary' })
  })

  it('grow while the server fails', () => {
    const seconds = [1, 2, 3, 4].map((attempt) => waitFor(error(502), about({ attempt })).seconds)
    assert.deepEqual(seconds, [1, 2, 4, 8])
    assert.equal(waitFor(error(502), about()).reason, 'server')
  })

  it('are worth it for these errors of the server only', () => {
    const statuses = [500, 501, 502, 503, 504, 505].filter((status) => waitFor(error(status), about({ method: 'HEAD' })) !== null)
    assert.deepEqual(statuses, [500, 502, 503, 504])
  })

  it('are none where a change may have been made', () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].filter((method) => waitFor(error(500), about({ method })) !== null)
    assert.deepEqual(methods, ['GET', 'HEAD'])
  })

  it('are none where asking again is of no use', () => {
    assert.equal(waitFor(error(403), about()), null)
    assert.equal(waitFor(error(404, { 'retry-after': '1' }), about()), null)
    assert.equal(waitFor(error(422), about()), null)
  })

  it('are none where nothing came back', () => {
    assert.equal(waitFor({ status: 500, message: 'connect ECONNREFUSED' }, about()), null)
  })
})
