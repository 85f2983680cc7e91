// Loaded before anything else in a process that runs tests: what they import of the solution comes from
// the other side. For frameworks that leave modules to Node, and for vitest, whose plugin is in vitest.mjs.
import Module, { createRequire, register } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread, MessageChannel } from 'node:worker_threads'
import { exporting, importedModules, putInPlace } from './stubs.mjs'

const READY_MS = 60_000 // as long as anybody waits for an answer
const require = createRequire(import.meta.url)
const { allowOneReading } = require('./files.cjs')

async function begin() {
  const order = JSON.parse(process.env.SDKBENCH_APART)
  // Processes that the tests start are not tests.
  process.env.NODE_OPTIONS = process.env.NODE_OPTIONS.replace(`--import ${import.meta.url}`, '').trim()
  const solution = require('./tests.cjs').solution()
  // Before any test's time runs: to start the other side must not count as the solution's slowness.
  const giveUp = new AbortController()
  await Promise.race([solution.ready, sleep(READY_MS, undefined, { signal: giveUp.signal }).catch(() => {})])
  giveUp.abort()

  const known = order.framework === 'node_test' && !order.typed ? importedModules(process.argv[1], (path) => solution.holds(path)) : null
  if (!known && order.framework !== 'vitest') registerHooks(solution, order) // vitest has a plugin for that

  const load = Module._load
  Module._load = function (request, parent, isMain) {
    const path = Module.isBuiltin(request) ? request : resolved(request, parent, isMain)
    return path && solution.holds(path) ? solution.open(path, 'require') : Reflect.apply(load, this, [request, parent, isMain])
  }

  const { load: importHere } = await import(pathToFileURL(order.importer).href)
  const modules = {}
  for (const name of order.packages) modules[name] = await importHere(name).catch(() => ({}))
  solution.know(modules)
  if (known && !placed(solution, known)) registerHooks(solution, order)
}

/** Whether files could be put in place of these modules; what one of them throws is told to whoever imports it. */
function placed(solution, paths) {
  try {
    for (const path of paths) {
      const { names } = answer(solution, pathToFileURL(path))
      if (!names) return false
      putInPlace(path, exporting(names))
      allowOneReading(path)
    }
    return true
  } catch {
    return false // a folder of the sample's own, which nobody can write to
  }
}

function registerHooks(solution, order) {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', ({ url, number }) => port1.postMessage({ number, ...answer(solution, url) }))
  port1.unref()
  const roots = [order.root, ...order.drivers].map((folder) => pathToFileURL(folder).href)
  register('./hooks.mjs', import.meta.url, { data: { port: port2, roots }, transferList: [port2] })
}

function resolved(request, parent, isMain) {
  try {
    return Module._resolveFilename(request, parent, isMain)
  } catch {
    return null // whoever asked is told by Node
  }
}

function answer(solution, url) {
  try {
    return { names: solution.names(fileURLToPath(url)) }
  } catch (error) {
    return { message: String(error?.message ?? error), name: String(error?.name ?? 'Error') }
  }
}

if (isMainThread && process.env.SDKBENCH_APART) await begin()
