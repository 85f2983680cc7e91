import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'mocha'
import { connect } from '../expected/src/github.js'
import { Answers, failed, later, ok } from './github-answers.mjs'

const NOW = 1_700_000_000_000
const ISSUES = 'GET /repos/{owner}/{repo}/issues'
const engine = { owner: 'acme', repo: 'engine' }
const issues = 'GET /repos/acme/engine/issues'

describe('the client', function () {
  this.timeout(10_000)
  let slept
  beforeEach(() => {
    slept = []
  })

  function client(answers, more = {}) {
    const sleep = async (milliseconds) => {
      slept.push(milliseconds)
    }
    return connect({ token: 'token-of-the-tests', fetch: answers.fetch, patience: { sleep, now: () => NOW, ...more } })
  }

  it('asks once where all is well', async () => {
    const answers = new Answers(ok([{ number: 7 }]))
    assert.deepEqual((await client(answers).request(ISSUES, engine)).data, [{ number: 7 }])
    assert.deepEqual([answers.asked, slept], [[issues], []])
  })

  it('waits and asks again', async () => {
    const answers = new Answers(failed(429, { 'retry-after': '17' }), failed(502), ok([{ number: 7 }]))
    assert.deepEqual((await client(answers).request(ISSUES, engine)).data, [{ number: 7 }])
    assert.deepEqual([answers.asked, slept], [[issues, issues, issues], [17_000, 2_000]])
  })

  it('sends nothing before the wait is over', async () => {
    const wait = later()
    const answers = new Answers(failed(429, { 'retry-after': '9' }))
    const octokit = client(answers, { sleep: () => wait.answer })
    const asking = octokit.request(ISSUES, engine)
    await answers.come(1)
    for (let count = 0; count < 2; count += 1) await octokit.request('GET /user')
    assert.deepEqual(answers.asked, [issues, 'GET /user', 'GET /user'])
    wait.tell()
    await asking
    assert.equal(answers.asked[3], issues)
  })

  it('knows what time it is', async () => {
    const spent = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000040' }
    await client(new Answers(failed(403, spent))).request(ISSUES, engine)
    assert.deepEqual(slept, [41_000])
  })

  it('tells of each wait before it begins', async () => {
    const told = []
    const answers = new Answers(failed(429, { 'retry-after': '3' }), failed(503))
    await client(answers, { onWait: (wait) => told.push({ ...wait, slept: slept.length }) }).request(ISSUES, engine)
    const url = '/repos/{owner}/{repo}/issues'
    assert.deepEqual(told, [
      { method: 'GET', url, seconds: 3, reason: 'retry-after', attempt: 1, slept: 0 },
      { method: 'GET', url, seconds: 2, reason: 'server', attempt: 2, slept: 1 },
    ])
  })

  it('gives up after three attempts', async () => {
    const answers = new Answers(failed(500), failed(500), failed(503))
    await assert.rejects(client(answers).request(ISSUES, engine), { status: 503 })
    assert.deepEqual([answers.asked.length, slept], [3, [1_000, 2_000]])
  })

  it('makes as many attempts as it is told to', async () => {
    const answers = new Answers(failed(500), failed(502))
    await assert.rejects(client(answers, { attempts: 1 }).request(ISSUES, engine), { status: 500 })
    assert.deepEqual([answers.asked.length, slept], [1, []])
  })

  it('throws at once where waiting would take too long', async () => {
    const answers = new Answers(failed(429, { 'retry-after': '601' }))
    await assert.rejects(client(answers).request(ISSUES, engine), { status: 429 })
    assert.deepEqual([answers.asked.length, slept], [1, []])
    await client(new Answers(failed(429, { 'retry-after': '600' }))).request(ISSUES, engine)
    assert.deepEqual(slept, [600_000])
  })

  it('waits as long as it is told to', async () => {
    const answers = new Answers(failed(429, { 'retry-after': '11' }))
    await assert.rejects(client(answers, { longest: 10 }).request(ISSUES, engine), { status: 429 })
    assert.deepEqual(slept, [])
  })

  it('throws what is no matter of time', async () => {
    const answers = new Answers(failed(404))
    await assert.rejects(client(answers).request(ISSUES, engine), { status: 404 })
    assert.equal(answers.asked.length, 1)
  })

  it('throws where nothing comes back', async () => {
    const answers = new Answers(new TypeError('fetch failed'))
    await assert.rejects(client(answers).request(ISSUES, engine), { message: 'fetch failed' })
    assert.equal(answers.asked.length, 1)
  })

  it('makes no change twice', async () => {
    const answers = new Answers(failed(502))
    await assert.rejects(client(answers).rest.issues.create({ ...engine, title: 'Words' }), { status: 502 })
    assert.deepEqual(answers.asked, ['POST /repos/acme/engine/issues'])
  })

  it('is patient between pages', async () => {
    const link = '<https://api.github.com/repos/acme/engine/issues?page=2>; rel="next"'
    const answers = new Answers(ok([{ number: 1 }], { link }), failed(429, { 'retry-after': '1' }), ok([{ number: 2 }]))
    const octokit = client(answers)
    const listed = await octokit.paginate(octokit.rest.issues.listForRepo, engine)
    assert.deepEqual(listed.map(({ number }) => number), [1, 2])
    assert.deepEqual(slept, [1_000])
  })

  describe('sending changes', () => {
    const create = (octokit, title) => octokit.rest.issues.create({ ...engine, title })
    const remove = (octokit, name) => octokit.rest.issues.deleteLabel({ ...engine, name })

    it('sends one after the other, and does not keep readers waiting', async () => {
      const first = later()
      const answers = new Answers()
      answers.to.POST = first.answer
      const octokit = client(answers)
      const all = [create(octokit, 'one'), remove(octokit, 'two'), octokit.request(ISSUES, engine)]
      await answers.come(2)
      assert.deepEqual([...answers.asked].sort(), [issues, 'POST /repos/acme/engine/issues'])
      first.tell(ok())
      await Promise.all(all)
      assert.equal(answers.asked[2], 'DELETE /repos/acme/engine/labels/two')
    })

    it('goes on after a failure', async () => {
      const answers = new Answers(failed(422), failed(404))
      const octokit = client(answers)
      const [one, two, three] = await Promise.allSettled([create(octokit, 'one'), remove(octokit, 'two'), create(octokit, 'three')])
      assert.deepEqual([one.reason.status, two.reason.status, three.value.status], [422, 404, 200])
    })

    it('lets the next one wait while one waits', async () => {
      const first = later()
      const answers = new Answers(first.answer)
      const octokit = client(answers)
      const all = [create(octokit, 'one'), remove(octokit, 'two')]
      first.tell(failed(429, { 'retry-after': '2' }))
      await Promise.all(all)
      assert.deepEqual(answers.asked.map((line) => line.split(' ')[0]), ['POST', 'POST', 'DELETE'])
    })
  })
})
