// The solution's side: it loads modules as the tests import them, and does with them what the tests do.
//
// Nothing here is trusted: the solution shares this process.
'use strict'
const { randomUUID } = require('node:crypto')
const { chmodSync, renameSync } = require('node:fs')
const net = require('node:net')
const { join } = require('node:path')
const { types } = require('node:util')
const { Bridge } = require('./bridge.cjs')
const { TakenContext, Traces } = require('./context.cjs')
const { Packages } = require('./packages.cjs')
const { Peer } = require('./peer.cjs')
const { ALLOW_ALL } = require('./policy.cjs')
const { OURS } = require('./network/ports.cjs')
const { watchServers } = require('./network/servers.cjs')

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
  const { socket, base } = await nextCaller(shared)
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
    side: 's',
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
  bridge.attach(socket, base)
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

/** A connection from a process of tests that nobody serves yet. */
function nextCaller(shared) {
  const base = join(shared, randomUUID())
  return new Promise((resolve, reject) => {
    const server = new net.Server((socket) => {
      server.close()
      resolve({ socket, base })
    })
    server[OURS] = true
    server.maxConnections = 1
    server.on('error', reject)
    // It gets its name when it can be connected to.
    server.listen(`${base}.new`, () => {
      chmodSync(`${base}.new`, 0o777)
      renameSync(`${base}.new`, `${base}.sock`)
    })
  })
}

module.exports = { serve }
