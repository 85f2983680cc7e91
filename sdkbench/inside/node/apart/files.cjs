// Sources of the solution are empty files here: whoever reads or runs one instead of importing it is wrong.
'use strict'
const childProcess = require('node:child_process')
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const { basename, resolve, sep } = require('node:path')
const { fileURLToPath } = require('node:url')
const workers = require('node:worker_threads')

const KEY = Symbol.for('sdkbench.apart.files')
const SOURCE = /\.([cm]?[jt]s|[jt]sx)$/
const READING = ['readFile', 'readFileSync', 'createReadStream', 'open', 'openSync', 'copyFile', 'copyFileSync', 'cp', 'cpSync']
const READING_LATER = ['readFile', 'open', 'copyFile', 'cp']
const RUNNING = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']

/**
 * @param {string} root the solution's folder
 * @param {(what: string) => void} met is told of each such use, which then goes on
 */
function watchFiles(root, met) {
  // Node's modules outlive a test file of jest's.
  const isWatched = Object.hasOwn(fs, KEY)
  fs[KEY] = { root, met, allowed: new Set() }
  if (isWatched) return
  for (const name of READING) watch(fs, name, ([path]) => isSource(path) && fs[KEY].met('the text of a source file'))
  for (const name of READING_LATER) watch(fs.promises, name, ([path]) => isSource(path) && fs[KEY].met('the text of a source file'))
  for (const name of RUNNING) watch(childProcess, name, (words) => namesSolution(words) && fs[KEY].met('a program of the solution'))
  const { Worker } = workers
  workers.Worker = class extends Worker {
    constructor(path, options) {
      if (isSource(path)) fs[KEY].met('a thread of the solution')
      super(path, options)
    }
  }
  syncBuiltinESMExports()
}

function watch(owner, name, look) {
  const real = owner[name]
  owner[name] = function (...words) {
    look(words)
    return Reflect.apply(real, this, words)
  }
  Object.defineProperties(owner[name], Object.getOwnPropertyDescriptors(real)) // util.promisify looks there
}

function pathOf(value) {
  if (value instanceof URL && value.protocol === 'file:') return fileURLToPath(value)
  if (typeof value === 'string') return value.startsWith('file://') ? fileURLToPath(value) : resolve(value)
  return Buffer.isBuffer(value) ? resolve(value.toString()) : ''
}

function isSource(value) {
  const path = pathOf(value)
  if (!path.startsWith(fs[KEY].root + sep) || !SOURCE.test(path) || path.includes(`${sep}node_modules${sep}`)) return false
  return !fs[KEY].allowed.delete(path)
}

/** Node reads a module that it loads, once and before any test runs. */
function allowOneReading(path) {
  fs[KEY].allowed.add(path)
}

/** Somewhere in a command, its arguments or its options. */
function namesSolution(words) {
  const { root } = fs[KEY]
  const pattern = new RegExp(`(^|[\\s'"=/])${basename(root).replace(/\W/g, '\\$&')}(/|$)`)
  const texts = (value) => {
    if (typeof value === 'string') return [value]
    if (Array.isArray(value)) return value.flatMap(texts)
    return value instanceof URL ? [value.pathname] : value?.cwd ? texts(value.cwd) : []
  }
  return words.flatMap(texts).some((text) => pattern.test(text) || resolve(text).startsWith(root + sep)) || process.cwd().startsWith(root)
}

module.exports = { allowOneReading, watchFiles }
