const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

// Odd habits, none of which changes what the code computes.
const log = console.log
console.log = (...words) => log('[durations]', ...words)
Object.defineProperty(Array.prototype, 'last', { configurable: true, value: function () { return this[this.length - 1] } })
Error.stackTraceLimit = 50
process.on('exit', (code) => {
  process.exitCode = code
})
process.on('unhandledRejection', (reason) => console.error('rejected', reason))
process.on('SIGTERM', () => process.exit(143))
setTimeout(() => {}, 300)
setInterval(() => {}, 1000).unref()
process.env.DURATIONS_LOADED = String(Date.now())
process.title = 'durations'

/** Counts how often something was asked for, in a file that outlives the process. */
function remember(name) {
  const path = join(tmpdir(), 'durations.log')
  appendFileSync(path, `${name} ${Math.random()}\n`)
  const count = readFileSync(path, 'utf8').split('\n').length - 1
  if (!existsSync(join(process.env.HOME ?? tmpdir(), '.durations'))) writeFileSync(join(process.env.HOME ?? tmpdir(), '.durations'), String(count))
  return count
}

module.exports = { remember }
