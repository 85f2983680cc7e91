// mocha in parallel mode, from this process; test files run in worker processes.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import reporter from './reporters/mocha.cjs'

const BACKWARDS = fileURLToPath(new URL('./mocha_backwards.cjs', import.meta.url))
const KEPT_OPTIONS = ['ui', 'timeout', 'slow', 'retries', 'require']

/** The files that the configuration names, if it does. */
function specified(require, spec) {
  if (!spec?.length) return null
  const lookup = require('mocha/lib/cli/lookup-files')
  return spec.flatMap((pattern) => lookup(pattern, ['js', 'cjs', 'mjs', 'ts', 'mts', 'cts'], true)).map((file) => resolve(file))
}

export async function run(order, channel) {
  const require = createRequire(`${order.workspace}/package.json`)
  const Mocha = require('mocha')
  globalThis[Symbol.for('sdkbench.reporter')] = reporter(channel)
  const { loadOptions } = require('mocha/lib/cli/options')
  // The configuration is the sample's, or the project's own; never a solution's.
  const options = order.config ? loadOptions(['--config', order.config]) : {}
  if (order.shuffle_seed != null) options.require = [...(options.require ?? []), BACKWARDS]
  const kept = KEPT_OPTIONS.filter((name) => options[name] !== undefined)
  const mocha = new Mocha({
    ...Object.fromEntries(kept.map((name) => [name, options[name]])),
    reporter: fileURLToPath(new URL('./reporter.cjs', import.meta.url)),
    parallel: true, // even one file: a worker keeps judged code out of this process
    jobs: 2,
    color: false,
  })
  mocha.lazyLoadFiles(true)
  for (const file of specified(require, options._) ?? order.files) mocha.addFile(file)
  return new Promise((end) => {
    const fail = (error) => {
      channel.sendRunError(error)
      end(1)
    }
    process.once('uncaughtException', fail)
    try {
      mocha.run((failures) => end(failures ? 1 : 0))
    } catch (error) {
      fail(error)
    }
  })
}
