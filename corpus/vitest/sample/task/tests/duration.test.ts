import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from '../expected/src/duration'

describe('durations', () => {
  it('reads hours, minutes and seconds', () => {
    expect(parseDuration('1h 30m')).toBe(5400)
    expect(parseDuration(' 45s ')).toBe(45)
  })

  it('tells a minute from an hour', () => {
    expect(parseDuration('1m')).not.toBe(parseDuration('1h'))
  })

  it('writes the parts that are not zero', () => {
    expect(formatDuration(5400)).toBe('1h 30m')
    expect(formatDuration(61)).toMatch(/^1m 1s$/)
  })

  it('refuses what is no duration', () => {
    expect(() => parseDuration('soon')).toThrow(RangeError)
    expect(() => parseDuration('0s')).not.toThrow()
  })
})
