import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { readFile, writeFile } from '../expected/src/files.js'
import { connect } from '../expected/src/github.js'
import { openProposals, propose, reportCheck } from '../expected/src/proposals.js'
import { Repository } from './github-repository.mjs'

const engine = { owner: 'acme', repo: 'engine' }

describe('the move to @octokit/rest 22', function () {
  this.timeout(10_000)
  let repository
  let octokit

  beforeEach(async () => {
    repository = new Repository()
    await repository.serve()
    octokit = connect({ token: 'token-of-the-tests', baseUrl: repository.baseUrl })
  })

  afterEach(() => repository.stop())

  const proposal = (more = {}) => ({ ...engine, path: 'docs/a b.md', text: 'new ü', branch: 'bot/docs', title: 'Newer words', ...more })

  it('authenticates with the token', async () => {
    await readFile(octokit, { ...engine, path: 'a.txt' })
    assert.match(repository.requests[0].authorization, /^(token|bearer) token-of-the-tests$/i)
  })

  it('reads a file', async () => {
    const text = 'Überall stehen Wörter. '.repeat(9)
    repository.files['docs/a b.md'] = { text, sha: 'f11e' }
    assert.deepEqual(await readFile(octokit, { ...engine, path: 'docs/a b.md' }), { text, sha: 'f11e' })
  })

  it('reads nothing where no file is', async () => {
    assert.equal(await readFile(octokit, { ...engine, path: 'a.txt' }), null)
  })

  it('throws other errors when it reads', async () => {
    repository.failing.set('GET /repos/acme/engine/contents/a.txt', 403)
    await assert.rejects(readFile(octokit, { ...engine, path: 'a.txt' }), { status: 403 })
  })

  it('writes a file, and gives the commit', async () => {
    const file = { ...engine, path: 'a.txt', branch: 'bot', text: 'ü', message: 'Words' }
    assert.equal(await writeFile(octokit, file), 'c0de01')
    assert.deepEqual(repository.changes, [{ line: 'PUT /contents/a.txt', body: { branch: 'bot', message: 'Words', content: 'w7w=' } }])
  })

  it('proposes a new file by a branch, a commit and a pull request', async () => {
    assert.equal(await propose(octokit, proposal()), 1)
    assert.deepEqual(repository.changes, [
      { line: 'POST /git/refs', body: { ref: 'refs/heads/bot/docs', sha: 'c0ffee' } },
      { line: 'PUT /contents/docs/a b.md', body: { branch: 'bot/docs', message: 'Newer words', content: 'bmV3IMO8' } },
      { line: 'POST /pulls', body: { title: 'Newer words', head: 'bot/docs', base: 'trunk' } },
    ])
  })

  it('proposes to replace a file', async () => {
    repository.files['docs/a b.md'] = { text: 'old', sha: 'f11e' }
    assert.equal(await propose(octokit, proposal()), 1)
    assert.equal(repository.changes[1].body.sha, 'f11e')
  })

  it('proposes nothing where nothing changes', async () => {
    repository.files['docs/a b.md'] = { text: 'new ü', sha: 'f11e' }
    assert.equal(await propose(octokit, proposal()), null)
    assert.deepEqual(repository.changes, [])
  })

  it('labels the pull request and asks for reviews', async () => {
    repository.addPull()
    assert.equal(await propose(octokit, proposal({ labels: ['docs'], reviewers: ['ada'] })), 2)
    assert.deepEqual(repository.changes.slice(3), [
      { line: 'PUT /issues/2/labels', body: { labels: ['docs'] } },
      { line: 'POST /pulls/2/requested_reviewers', body: { reviewers: ['ada'] } },
    ])
  })

  it('writes nothing where the branch can not be made', async () => {
    repository.failing.set('POST /repos/acme/engine/git/refs', 422)
    await assert.rejects(propose(octokit, proposal()), { status: 422 })
    assert.deepEqual(repository.changes.map(({ line }) => line), ['POST /git/refs'])
  })

  it('throws what goes wrong with labels', async () => {
    repository.failing.set('PUT /repos/acme/engine/issues/1/labels', 403)
    await assert.rejects(propose(octokit, proposal({ labels: ['docs'] })), { status: 403 })
  })

  it('lists the open proposals', async () => {
    repository.addPull({ state: 'closed' })
    repository.addPull({ draft: true })
    repository.addPull({ labels: [{ name: 'bots' }, { name: 'docs' }] })
    repository.addPull({ labels: [{ name: 'docs' }, { name: 'bot' }] })
    assert.deepEqual(await openProposals(octokit, { ...engine, label: 'bot' }), [4])
  })

  it('lists all pages of them', async () => {
    for (let count = 0; count < 130; count += 1) repository.addPull()
    const numbers = await openProposals(octokit, { ...engine, label: 'bot' })
    assert.deepEqual([numbers.length, numbers.at(-1)], [130, 130])
  })

  it('reports a check on the last commit, with a comment', async () => {
    const number = repository.addPull({ head: { sha: 'abc123' } })
    await reportCheck(octokit, { ...engine, number, context: 'links', state: 'failure', summary: 'Two are dead.' })
    assert.deepEqual(repository.changes, [
      { line: 'POST /statuses/abc123', body: { context: 'links', state: 'failure' } },
      { line: 'POST /issues/1/comments', body: { body: 'Two are dead.' } },
    ])
  })

  it('leaves no comment where the check can not be reported', async () => {
    const number = repository.addPull()
    repository.failing.set('POST /repos/acme/engine/statuses/5ad1', 404)
    await assert.rejects(reportCheck(octokit, { ...engine, number, context: 'links', state: 'error', summary: 'Words.' }), { status: 404 })
    assert.deepEqual(repository.changes.map(({ line }) => line), ['POST /statuses/5ad1'])
  })

  it('leaves no comment without words', async () => {
    const number = repository.addPull()
    await reportCheck(octokit, { ...engine, number, context: 'links', state: 'success', summary: '' })
    assert.deepEqual(repository.changes, [{ line: 'POST /statuses/5ad1', body: { context: 'links', state: 'success' } }])
  })
})
