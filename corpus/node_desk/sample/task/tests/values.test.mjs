import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import * as desk from '../expected/src/desk.js'

describe('values', () => {
  it('splits', () => {
    const found = desk.split('pay the bill')
    assert.deepEqual([...found.words], ['pay', 'the', 'bill'])
    assert.equal(found.letters, 10)
    for (const name of ['first', 'last']) assert.ok(name in found)
  })

  it('counts words', () => {
    const found = desk.counts(['a', 'b', 'a'])
    assert.equal(found.get('a'), 2)
    assert.equal(found.size, 2)
  })

  it('doubles later', async () => {
    assert.equal(await desk.doubled(4), 8)
    await assert.rejects(async () => await desk.doubled('4'), TypeError)
  })

  it('knows its user', async () => {
    const found = await desk.withUser('ann', async () => {
      await turn()
      return desk.currentUser()
    })
    assert.equal(found, 'ann')
    assert.equal(desk.currentUser(), undefined)
  })

  it('answers', async () => {
    const good = await desk.answer(new Request('http://desk/', { method: 'POST', body: '{"a": 1}' }))
    assert.equal(good.status, 200)
    assert.equal(good.headers.get('x-desk'), '1')
    assert.deepEqual(await good.json(), { echo: { a: 1 } })
    const bad = await desk.answer(new Request('http://desk/', { method: 'POST', body: '{' }))
    assert.equal(bad.status, 400)
  })

  it('stops', async () => {
    const controller = new AbortController()
    const waiting = desk.until(controller.signal)
    controller.abort(new Error('enough'))
    await assert.rejects(waiting, /enough/)
  })
})
