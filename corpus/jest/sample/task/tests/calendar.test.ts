import { Calendar, merge } from '../expected/src/calendar'

describe('calendar', () => {
  it('merges spans that overlap', () => {
    expect(merge([[5, 9], [2, 4], [1, 3]])).toEqual([[1, 4], [5, 9]])
  })

  it('does not book an hour twice', () => {
    const calendar = new Calendar()
    expect(calendar.book(9, 11, 'review')).toBe(true)
    expect(calendar.book(10, 12, 'lunch')).toBe(false)
    expect(calendar.titles()).not.toContain('lunch')
  })

  it('finds the next free hours', async () => {
    const calendar = new Calendar()
    calendar.book(9, 11, 'review')
    await expect(calendar.nextFree(2, 8)).resolves.toBe(11)
    await expect(calendar.nextFree(25, 8)).rejects.toThrow('a day has 24 hours')
  })
})
