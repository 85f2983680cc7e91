import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Desk, each, keep, lookup, Malformed, numbers, pages, parsed, played, Reader, settings, total, Unknown } from '../expected/src/desk.js'

describe('desk', () => {
  it('takes notes up to its limit', () => {
    const desk = Desk.of('one', 'two')
    assert.equal(desk.size, 2)
    assert.equal(desk.write('three'), Desk.limit)
    assert.throws(() => desk.write('four'), RangeError)
    assert.deepEqual(desk.lines(), ['one', 'two', 'three'])
    assert.ok(desk instanceof Desk)
  })

  it('gives its notes one by one', () => {
    assert.deepEqual([...Desk.of('one', 'two')], ['one', 'two'])
    for (const line of Desk.of('one')) assert.equal(line, 'one')
  })

  it('has settings', () => {
    assert.deepEqual({ ...settings }, { size: 2, title: 'desk' })
    assert.equal(settings.size, 2)
  })

  it('reads numbers', () => {
    assert.equal(parsed('-12'), -12)
    assert.throws(() => parsed('x'), new Malformed('x'))
    assert.throws(() => parsed('y'), { name: 'Malformed', text: 'y', message: 'no number: y' })
  })

  it('looks names up', () => {
    assert.deepEqual(['a', 'b'].map(lookup), [1, 2])
    assert.throws(() => lookup('zed'), new Unknown('who is zed?'))
  })

  it('keeps what is given, sorted', () => {
    const seen = []
    const given = [3, 1, 2]
    assert.equal(total(given), 6)
    keep(seen, given)
    assert.deepEqual(seen, given.toSorted())
  })

  it('leaves out what does not work', () => {
    const work = (item) => {
      if (item === 4) throw new TypeError('gone')
      if (item > 10) assert.fail('too large an item')
      return item + 1
    }
    assert.deepEqual(each(work, [1, 4, 2]), [2, 3])
  })

  it('plays', () => {
    class Player {
      notes = []

      constructor(wanted) {
        this.wanted = wanted
      }

      play(note) {
        this.notes.push(note)
      }

      check() {
        assert.deepEqual(this.notes, this.wanted)
      }
    }
    const player = new Player(['c', 'd', 'e'])
    played(player, ['c', 'd', 'e'])
    player.check()
    assert.equal(player.notes.length, 3)
  })

  it('counts for ever', () => {
    const found = []
    for (const number of numbers()) {
      found.push(number)
      if (number === 3) break
    }
    assert.deepEqual(found, [1, 2, 3])
  })

  it('gives pages', async () => {
    const found = []
    for await (const page of pages([1, 2, 3], 2)) found.push(page)
    assert.deepEqual(found, [[1, 2], [3]])
  })

  it('tells of lines', () => {
    const seen = []
    const reader = new Reader('a\nb')
    reader.on('line', (line) => seen.push(line))
    reader.start()
    assert.deepEqual(seen, ['a', 'b'])
  })
})
