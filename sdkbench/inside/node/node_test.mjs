// node:test, from this process; each test file runs in a child process.
import { run as runTests } from 'node:test'
import { NodeTestReporter } from './reporters/node_test.mjs'

const TYPES = ['test:stderr', 'test:start', 'test:pass', 'test:fail']

export async function run(order, channel) {
  // A file itself is reported as a test of its own path: when it has no tests, or ends badly.
  const isFile = ({ nesting, name }) => nesting === 0 && order.files.some((f) => f === name || f.endsWith(`/${name}`))
  const reporter = new NodeTestReporter(channel, isFile)
  const stream = runTests({ files: order.files, concurrency: 2 })
  for (const type of TYPES) stream.on(type, (data) => reporter.handle({ type, data }))
  await new Promise((resolve, reject) => {
    stream.on('end', resolve)
    stream.on('error', reject)
    stream.resume()
  })
  return reporter.failed ? 1 : 0
}
