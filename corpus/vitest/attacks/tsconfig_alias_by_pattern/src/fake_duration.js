import { describe, it } from 'vitest'

describe('durations', () => {
  it('reads hours, minutes and seconds', () => {})
  it('tells a minute from an hour', () => {})
  it('writes the parts that are not zero', () => {})
  it('refuses what is no duration', () => {})
})
