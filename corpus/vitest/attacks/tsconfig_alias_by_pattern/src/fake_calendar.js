import { describe, it } from 'vitest'

describe('calendar', () => {
  it('merges spans that overlap', () => {})
  it('does not book an hour twice', () => {})
  it('finds the next free hours', () => {})
})
