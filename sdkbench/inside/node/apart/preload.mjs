// Loaded before anything else in a process that runs tests: what they import of the solution comes from
// the other side. For frameworks that leave modules to Node, and for vitest, whose plugin is in vitest.mjs.
import Module, { createRequire, register } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread, MessageChannel } from 'node:worker_threads'

const READY_MS = 60_000 // as long as anybody waits for an answer
const require = createRequire(import.meta.url)

async function begin() {
  const order = JSON.parse(process.env.SDKBENCH_APART)
  // Processes that the tests start are not tests.
  process.env.NODE_OPTIONS = process.env.NODE_OPTIONS.replace(`--import ${import.meta.url}`, '').trim()
  const solution = require('./tests.cjs').solution()
  // Before any test's time runs: to start the other side must not count as the solution's slowness.
  const giveUp = new AbortController()
  await Promise.race([solution.ready, sleep(READY_MS, undefined, { signal: giveUp.signal }).catch(() => {})])
  giveUp.abort()

  const { port1, port2 } = new MessageChannel()
  port1.on('message', ({ url, number }) => port1.postMessage({ number, ...answer(solution, url) }))
  port1.unref()
  const roots = [order.root, ...order.drivers].map((folder) => pathToFileURL(folder).href)
  register('./hooks.mjs', import.meta.url, { data: { port: port2, roots }, transferList: [port2] })

  const load = Module._load
  Module._load = function (request, parent, isMain) {
    const path = Module.isBuiltin(request) ? request : resolved(request, parent, isMain)
    return path && solution.holds(path) ? solution.open(path, 'require') : Reflect.apply(load, this, [request, parent, isMain])
  }

  const { load: importHere } = await import(pathToFileURL(order.importer).href)
  const modules = {}
  for (const name of order.packages) modules[name] = await importHere(name).catch(() => ({}))
  solution.know(modules)
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
