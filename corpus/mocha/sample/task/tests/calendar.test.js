const assert = require('node:assert')
const { Calendar, merge } = require('../expected/src/calendar')

describe('calendar', () => {
  it('merges spans that overlap', () => {
    assert.deepStrictEqual(merge([[5, 9], [2, 4], [1, 3]]), [[1, 4], [5, 9]])
  })

  it('does not book an hour twice', () => {
    const calendar = new Calendar()
    assert.equal(calendar.book(9, 11, 'review'), true)
    assert.equal(calendar.book(10, 12, 'lunch'), false)
    assert.ok(!calendar.titles().includes('lunch'))
  })

  it('finds the next free hours', async () => {
    const calendar = new Calendar()
    calendar.book(9, 11, 'review')
    assert.equal(await calendar.nextFree(2, 8), 11)
    await assert.rejects(calendar.nextFree(25, 8), /a day has 24 hours/)
  })
})
