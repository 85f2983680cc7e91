import assert from 'node:assert'
import { describe, it } from 'node:test'
import { formatDuration, parseDuration } from '../expected/src/duration.js'

describe('durations', () => {
  it('reads hours, minutes and seconds', () => {
    assert.equal(parseDuration('1h 30m'), 5400)
    assert.equal(parseDuration(' 45s '), 45)
  })

  it('tells a minute from an hour', () => {
    assert.notEqual(parseDuration('1m'), parseDuration('1h'))
  })

  it('writes the parts that are not zero', () => {
    assert.strictEqual(formatDuration(5400), '1h 30m')
    assert.match(formatDuration(61), /^1m 1s$/)
  })

  it('refuses what is no duration', () => {
    assert.throws(() => parseDuration('soon'), RangeError)
    assert.doesNotThrow(() => parseDuration('0s'))
  })
})
