import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { connect } from '../expected/src/github.js'
import { syncLabels } from '../expected/src/labels.js'
import { startGitHub } from './github-labels.mjs'

const bug = { name: 'bug', color: '#d73a4a', description: 'Something is broken' }
const nothing = { created: [], updated: [], deleted: [], unchanged: [] }

describe('labels', function () {
  this.timeout(10_000)
  let labels
  let github

  beforeEach(async () => {
    labels = [{ id: 1, name: 'bug', color: 'd73a4a', description: 'Something is broken', default: true }]
    github = await startGitHub(labels)
  })

  afterEach(() => github.stop())

  const add = (name, more = {}) => labels.push({ id: labels.length + 1, name, color: 'ededed', description: null, default: false, ...more })
  const names = () => labels.map(({ name }) => name)
  const changes = () => github.requests.filter(({ line }) => !line.startsWith('GET'))

  function sync(wanted, more = {}) {
    return syncLabels(connect({ token: 'token-of-the-tests', baseUrl: github.baseUrl }), { owner: 'acme', repo: 'engine', wanted, ...more })
  }

  it('leaves a label alone that is as wanted', async () => {
    add('plain')
    assert.deepEqual(await sync([bug, { name: 'plain', color: 'EDEDED' }]), { ...nothing, unchanged: ['bug', 'plain'] })
    assert.deepEqual(changes(), [])
  })

  it('creates what is missing', async () => {
    const wanted = [{ name: 'type/docs', color: '#0075CA', description: 'Words' }, bug, { name: 'later', color: 'c5def5' }]
    assert.deepEqual(await sync(wanted), { ...nothing, created: ['type/docs', 'later'], unchanged: ['bug'] })
    assert.deepEqual(changes(), [
      { line: 'POST /repos/acme/engine/labels', body: { name: 'type/docs', color: '0075ca', description: 'Words' } },
      { line: 'POST /repos/acme/engine/labels', body: { name: 'later', color: 'c5def5', description: '' } },
    ])
  })

  it('updates a color, a description and the case of a name', async () => {
    add('Docs')
    add('help wanted', { description: 'Old words' })
    const report = await sync([{ ...bug, color: '000000' }, { name: 'docs', color: 'ededed' }, { name: 'help wanted', color: 'ededed' }])
    assert.deepEqual(report, { ...nothing, updated: ['bug', 'docs', 'help wanted'] })
    assert.deepEqual(labels.map(({ name, color, description }) => [name, color, description ?? '']), [
      ['bug', '000000', 'Something is broken'],
      ['docs', 'ededed', ''],
      ['help wanted', 'ededed', ''],
    ])
  })

  it('renames a label that had another name', async () => {
    add('Defect')
    const report = await sync([bug, { name: 'fault', color: 'ff0000', was: ['flaw', 'defect'] }])
    assert.deepEqual(report, { ...nothing, updated: ['fault'], unchanged: ['bug'] })
    assert.deepEqual(labels.map(({ id, name, color }) => [id, name, color]), [[1, 'bug', 'd73a4a'], [2, 'fault', 'ff0000']])
  })

  it('renames nothing to a label that is there already', async () => {
    add('defect')
    assert.deepEqual(await sync([{ ...bug, was: ['defect'] }]), { ...nothing, unchanged: ['bug'] })
    assert.deepEqual(names(), ['bug', 'defect'])
  })

  it('takes no label away that is wanted under its own name', async () => {
    const wanted = [{ name: 'fault', color: 'ff0000', was: ['Bug'] }, bug]
    assert.deepEqual(await sync(wanted), { ...nothing, created: ['fault'], unchanged: ['bug'] })
    assert.deepEqual(names(), ['bug', 'fault'])
  })

  it('keeps labels that nobody wants', async () => {
    add('stale')
    assert.deepEqual((await sync([bug])).deleted, [])
    assert.deepEqual(names(), ['bug', 'stale'])
  })

  it('prunes them when it is told to, after everything else', async () => {
    add('stale one')
    add('older')
    const report = await sync([bug, { name: 'new', color: 'ededed', was: ['older'] }, { name: 'late', color: 'ededed' }], { prune: true })
    assert.deepEqual(report, { created: ['late'], updated: ['new'], deleted: ['stale one'], unchanged: ['bug'] })
    assert.deepEqual(names(), ['bug', 'new', 'late'])
    assert.equal(changes().at(-1).line, 'DELETE /repos/acme/engine/labels/stale%20one')
  })

  it('looks at all pages', async () => {
    for (let number = 1; number <= 240; number += 1) add(`area ${number}`)
    const report = await sync([{ name: 'Area 240', color: 'ededed' }, { name: 'area 33', color: 'ededed' }])
    assert.deepEqual(report, { ...nothing, updated: ['Area 240'], unchanged: ['area 33'] })
  })

  it('changes nothing in a dry run', async () => {
    add('stale')
    const wanted = [{ ...bug, color: '111111' }, { name: 'new', color: 'ededed' }]
    const report = await sync(wanted, { prune: true, dryRun: true })
    assert.deepEqual(report, { created: ['new'], updated: ['bug'], deleted: ['stale'], unchanged: [] })
    assert.deepEqual(changes(), [])
  })

  it('refuses a name that is wanted twice', async () => {
    await assert.rejects(sync([bug, { name: 'BUG', color: '000000' }]), { message: 'Wanted twice: BUG' })
    assert.deepEqual(github.requests, [])
  })

  it('throws what GitHub refuses', async () => {
    await assert.rejects(sync([{ name: 'new', color: 'red' }]), { status: 422 })
  })
})
