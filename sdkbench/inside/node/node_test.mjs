// node:test, from this process; each test file runs in a child process.
import { run as runTests } from 'node:test'
import { failure, fileId, testId } from './failures.mjs'

const MAX_STDERR = 64 * 1024

export async function run(order, channel) {
  const { workspace } = order
  const stacks = new Map() // file → titles of the tests and suites that have started, by depth
  let failed = false

  const titles = (event) => {
    const open = stacks.get(event.file) ?? []
    return [...open.slice(0, event.nesting), event.name]
  }
  // A file itself is told of as a test of its own path: when it has no tests, or ends badly.
  const isFile = (event) => event.nesting === 0 && order.files.some((f) => f === event.name || f.endsWith(`/${event.name}`))

  // What a file that could not be loaded says goes to its stderr; the event says only "test failed".
  const complaints = new Map()
  const fileError = (event, cause) => {
    const said = complaints.get(event.file ?? event.name) ?? ''
    const message = said.split('\n').find((line) => /^(\w*Error|Uncaught)\b/.test(line)) ?? said.trim().split('\n').at(-1)
    return said ? { message, stack: said } : cause
  }

  const stream = runTests({ files: order.files, concurrency: 2, ...(order.only ? { only: true } : {}) })
  stream.on('test:stderr', ({ file, message }) => {
    complaints.set(file, ((complaints.get(file) ?? '') + message).slice(-MAX_STDERR))
  })
  stream.on('test:start', (event) => {
    if (isFile(event)) return
    const open = stacks.get(event.file) ?? []
    open.length = event.nesting
    open[event.nesting] = event.name
    stacks.set(event.file, open)
    channel.send('start', { id: testId(workspace, event.file, titles(event)) })
  })
  stream.on('test:pass', (event) => {
    if (!isFile(event) && event.details.type !== 'suite') tell(event, 'passed')
  })
  stream.on('test:fail', (event) => {
    const cause = event.details.error?.cause ?? event.details.error
    const kind = event.details.error?.failureType
    if (isFile(event)) {
      failed = true
      if (kind !== 'subtestsFailed') {
        const error = fileError(event, cause)
        channel.send('run_error', { id: fileId(workspace, event.file ?? event.name), ...failure(workspace, error) })
      }
    } else if (event.details.type === 'suite') {
      failed ||= event.todo === undefined && event.skip === undefined
      if (kind !== 'subtestsFailed') {
        channel.send('run_error', { id: fileId(workspace, event.file), ...failure(workspace, cause) })
      }
    } else {
      failed ||= event.todo === undefined
      tell(event, 'failed', cause)
    }
  })
  function tell(event, status, error) {
    const aside = event.skip !== undefined || event.todo !== undefined
    channel.send('case', {
      id: testId(workspace, event.file, titles(event)),
      status: aside ? 'skipped' : status,
      expected_failure: event.expectFailure !== undefined && event.expectFailure !== false,
      seconds: event.details.duration_ms / 1000,
      reason: event.todo !== undefined ? 'todo' : typeof event.skip === 'string' ? event.skip : '',
      ...(status === 'failed' && !aside ? failure(workspace, error) : {}),
    })
  }
  await new Promise((resolve, reject) => {
    stream.on('end', resolve)
    stream.on('error', reject)
    stream.resume()
  })
  return failed ? 1 : 0
}
