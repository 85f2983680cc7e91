// The solution's side: it loads modules as the tests import them, and does with them what the tests do.
//
// Nothing here is trusted: the solution shares this process.
'use strict'
const { readdirSync, renameSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { types } = require('node:util')
const { Bridge } = require('./bridge.cjs')
const { TakenContext, Traces } = require('./context.cjs')
const { Packages } = require('./packages.cjs')
const { Peer } = require('./peer.cjs')
const { ALLOW_ALL } = require('./policy.cjs')
const { watchServers } = require('./network/servers.cjs')

const LOOK_MS = 5

/**
 * Serve one process of tests, from its first question to its end.
 *
 * @param {object} order
 * @param {string} order.shared the folder where tests wait
 * @param {string} order.root the solution's folder
 * @param {string[]} order.packages that the tests import too
 * @param {object} loaders the framework's own
 * @param {(name: string) => Promise<object>} loaders.import
 * @param {(name: string) => unknown} loaders.require
 * @param {() => void} [loaders.called] somebody has called: another one may want to be served, too
 */
async function serve({ shared, root, packages }, loaders) {
  const path = await nextCaller(shared)
  loaders.called?.()
  const namespaces = new Map() // what a module exports → what is shown of it
  let end
  const over = new Promise((resolve) => (end = resolve))

  /** Variables that a module exports may change: they are looked at again before each message. */
  function refresh() {
    for (const [namespace, shown] of namespaces) {
      for (const name of Object.keys(namespace)) if (namespace[name] !== shown[name]) shown[name] = namespace[name]
    }
  }

  const peer = new Peer({
    policy: ALLOW_ALL,
    speaking() {
      refresh()
      for (const word of traces.found()) peer.tell('trace', word)
    },
    async load(file, mode) {
      const path = join(root, file)
      const loaded = mode === 'require' ? loaders.require(path) : await loaders.import(path)
      if (mode === 'require' && !types.isModuleNamespaceObject(loaded)) return loaded
      if (!namespaces.has(loaded)) namespaces.set(loaded, Object.assign(Object.create(null), loaded))
      return namespaces.get(loaded)
    },
  })
  const traces = new Traces()
  peer.context = new TakenContext(peer, traces)
  const bridge = new Bridge({
    connect: path,
    take(tree) {
      peer.take(tree)
      doze()
    },
    ended: (reason) => {
      peer.ended(reason)
      end()
    },
  })
  peer.open(bridge)
  bridge.hold()
  let isUp = true

  /** Node ends where nothing is left to be done. Then nothing that the tests wait for will come: they are told. */
  function doze() {
    if (isUp) bridge.release()
    isUp = false
  }
  process.on('beforeExit', () => {
    if (isUp) return
    bridge.hold()
    isUp = true
    peer.tell('idle', peer.heard)
  })
  watchServers(bridge)
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => peer.tell('fault', `${event} in the solution: ${error?.stack ?? error}`))
  }
  const modules = {}
  for (const name of packages) modules[name] = await loaders.import(name).catch(() => ({}))
  peer.packages = new Packages(modules)
  await over
}

/** The socket of a process of tests that nobody serves yet. */
async function nextCaller(shared) {
  for (;;) {
    for (const name of readdirSync(shared)) {
      if (!name.endsWith('.sock')) continue
      const path = join(shared, name.replace(/sock$/, 'taken'))
      try {
        renameSync(join(shared, name), path)
        return path
      } catch {
        // another one was quicker
      }
    }
    await sleep(LOOK_MS)
  }
}

module.exports = { serve }
