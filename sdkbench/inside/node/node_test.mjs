// node:test, from this process; each test file runs in a child process.
import { run as runTests } from 'node:test'

const MAX_STDERR = 64 * 1024

export async function run(order, channel) {
  const stacks = new Map() // file → titles of the tests and suites that have started, by depth
  const stderr = new Map() // file → the last that it wrote there
  let failed = false

  const titles = ({ file, nesting, name }) => [...(stacks.get(file) ?? []).slice(0, nesting), name]
  // A file itself is reported as a test of its own path: when it has no tests, or ends badly.
  const isFile = ({ nesting, name }) => nesting === 0 && order.files.some((f) => f === name || f.endsWith(`/${name}`))
  // Why a file could not be loaded stands on its stderr; the event says only "test failed".
  const fileError = ({ file, name }, cause) => {
    const stack = stderr.get(file ?? name) ?? ''
    const message = stack.split('\n').find((line) => /^(\w*Error|Uncaught)\b/.test(line)) ?? stack.trim().split('\n').at(-1)
    return stack ? { message, stack } : cause
  }
  const sendCase = (event, status, error) => {
    const isAside = event.skip !== undefined || event.todo !== undefined
    channel.sendCase(event.file, titles(event), {
      status: isAside ? 'skipped' : status,
      expectedFailure: event.expectFailure !== undefined && event.expectFailure !== false,
      milliseconds: event.details.duration_ms,
      reason: event.todo !== undefined ? 'todo' : typeof event.skip === 'string' ? event.skip : '',
      error,
    })
  }

  const stream = runTests({ files: order.files, concurrency: 2 })
  stream.on('test:stderr', ({ file, message }) => {
    stderr.set(file, ((stderr.get(file) ?? '') + message).slice(-MAX_STDERR))
  })
  stream.on('test:start', (event) => {
    if (isFile(event)) return
    const started = stacks.get(event.file) ?? []
    started.length = event.nesting
    started[event.nesting] = event.name
    stacks.set(event.file, started)
    channel.sendStart(event.file, titles(event))
  })
  stream.on('test:pass', (event) => {
    if (!isFile(event) && event.details.type !== 'suite') sendCase(event, 'passed')
  })
  stream.on('test:fail', (event) => {
    const { type, error } = event.details
    const cause = error?.cause ?? error
    const isOwnFailure = error?.failureType !== 'subtestsFailed'
    if (isFile(event)) {
      failed = true
      if (isOwnFailure) channel.sendRunError(fileError(event, cause), event.file ?? event.name)
    } else if (type === 'suite') {
      failed ||= event.todo === undefined && event.skip === undefined
      if (isOwnFailure) channel.sendRunError(cause, event.file)
    } else {
      failed ||= event.todo === undefined
      sendCase(event, 'failed', cause)
    }
  })
  await new Promise((resolve, reject) => {
    stream.on('end', resolve)
    stream.on('error', reject)
    stream.resume()
  })
  return failed ? 1 : 0
}
