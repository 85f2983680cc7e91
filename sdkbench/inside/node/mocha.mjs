// mocha in parallel mode, from this process; test files run in worker processes.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure } from './failures.mjs'

/** The files that the configuration names, if it does. */
function specified(require, spec) {
  if (!spec?.length) return null
  const lookup = require('mocha/lib/cli/lookup-files')
  return spec.flatMap((pattern) => lookup(pattern, ['js', 'cjs', 'mjs', 'ts', 'mts', 'cts'], true)).map((file) => resolve(file))
}

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
    reporter: fileURLToPath(new URL('./mocha_reporter.cjs', import.meta.url)),
    parallel: true, // even one file: a worker keeps judged code out of this process
    jobs: 2,
    color: false,
  })
  mocha.lazyLoadFiles(true)
  for (const file of specified(require, given._) ?? order.files) mocha.addFile(file)
  return new Promise((end) => {
    process.once('uncaughtException', (error) => {
      channel.send('run_error', failure(order.workspace, error))
      end(1)
    })
    try {
      mocha.run((failures) => end(failures ? 1 : 0))
    } catch (error) {
      channel.send('run_error', failure(order.workspace, error))
      end(1)
    }
  })
}
