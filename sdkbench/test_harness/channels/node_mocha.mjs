// mocha in parallel mode, from this process; test files run in worker processes.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { failure } from './node_failures.mjs'

export async function run(order, channel) {
  const require = createRequire(`${order.workspace}/package.json`)
  const Mocha = require('mocha')
  globalThis[Symbol.for('sdkbench.reporting')] = { order, channel }
  const { loadOptions } = require('mocha/lib/cli/options')
  // The configuration is the sample's, or the project's own; never a solution's.
  const given = order.config ? loadOptions(['--config', order.config]) : {}
  const options = { ...given, ...order.mocha_options }
  const wished = ['ui', 'timeout', 'slow', 'retries', 'require'].filter((name) => options[name] !== undefined)
  const mocha = new Mocha({
    ...Object.fromEntries(wished.map((name) => [name, options[name]])),
    reporter: fileURLToPath(new URL('./node_mocha_reporter.cjs', import.meta.url)),
    parallel: true, // even one file: a worker keeps judged code out of this process
    jobs: 2,
    color: false,
  })
  mocha.lazyLoadFiles(true)
  for (const file of order.files) mocha.addFile(file)
  return new Promise((resolve) => {
    process.once('uncaughtException', (error) => {
      channel.send('run_error', failure(order.workspace, error))
      resolve(1)
    })
    try {
      mocha.run((failures) => resolve(failures ? 1 : 0))
    } catch (error) {
      channel.send('run_error', failure(order.workspace, error))
      resolve(1)
    }
  })
}
