import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { closeAsNotPlanned, createClient, findIssue, openIssues } from '../expected/src/issues.js'
import { startGitHub } from './github-server.mjs'

const repository = { owner: 'acme', repo: 'engine' }

function issue(number, more = {}) {
  return { number, title: `Issue ${number}`, state: 'open', labels: ['bug'], user: { login: 'ada' }, ...more }
}

describe('issues', function () {
  this.timeout(10_000)
  let issues
  let github

  beforeEach(async () => {
    issues = []
    github = await startGitHub(issues)
  })

  afterEach(() => github.stop())

  function client() {
    return createClient({ baseUrl: github.baseUrl, token: 'token-of-the-tests' })
  }

  it('authenticates with the token', async () => {
    await openIssues(client(), { ...repository, label: 'bug' })
    assert.match(github.requests[0].authorization, /^(token|bearer) token-of-the-tests$/i)
  })

  it('lists the open issues with the label', async () => {
    issues.push(issue(1), issue(2, { labels: ['docs'] }), issue(3, { state: 'closed' }), issue(4, { user: null }))
    assert.deepEqual(await openIssues(client(), { ...repository, label: 'bug' }), [
      { number: 1, title: 'Issue 1', author: 'ada' },
      { number: 4, title: 'Issue 4', author: 'ghost' },
    ])
  })

  it('leaves out pull requests', async () => {
    issues.push(issue(1), issue(2, { pull_request: { url: 'https://api.example.test/pulls/2' } }))
    const found = await openIssues(client(), { ...repository, label: 'bug' })
    assert.deepEqual(found.map(({ number }) => number), [1])
  })

  it('follows all pages', async () => {
    for (let number = 1; number <= 250; number += 1) issues.push(issue(number))
    const found = await openIssues(client(), { ...repository, label: 'bug' })
    assert.deepEqual(found.map(({ number }) => number), issues.map(({ number }) => number))
  })

  it('comments on an issue and then closes it as not planned', async () => {
    issues.push(issue(7))
    await closeAsNotPlanned(client(), { ...repository, number: 7, comment: 'No time.' })
    const { comments, state, state_reason } = issues[0]
    assert.deepEqual({ comments, state, state_reason }, { comments: ['No time.'], state: 'closed', state_reason: 'not_planned' })
    assert.deepEqual(github.requests.map(({ line }) => line.split(' ')[0]), ['POST', 'PATCH'])
  })

  it('leaves an issue open if the comment fails', async () => {
    issues.push(issue(7))
    github.fail('POST /repos/acme/engine/issues/7/comments', 403)
    await assert.rejects(closeAsNotPlanned(client(), { ...repository, number: 7, comment: 'No time.' }), { status: 403 })
    assert.equal(issues[0].state, 'open')
  })

  it('finds one issue, and null where there is none', async () => {
    issues.push(issue(7))
    assert.deepEqual(await findIssue(client(), { ...repository, number: 7 }), { number: 7, title: 'Issue 7', author: 'ada' })
    assert.equal(await findIssue(client(), { ...repository, number: 8 }), null)
  })

  it('throws other errors', async () => {
    github.fail('GET /repos/acme/engine/issues/7', 500)
    await assert.rejects(findIssue(client(), { ...repository, number: 7 }), { status: 500 })
  })
})
