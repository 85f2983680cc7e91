// Notices the servers that this process listens with, so that the other side can reach them.
'use strict'
const net = require('node:net')
const { OURS } = require('./ports.cjs')

// jest has a world of its own for each test file; Node's modules are the same in all of them.
const KEY = Symbol.for('sdkbench.apart.bridge')

/** From now on by this bridge; one that came before it is closed. */
function watchServers(bridge) {
  const isWatched = Object.hasOwn(net.Server, KEY)
  net.Server[KEY]?.close('its test file is done')
  net.Server[KEY] = bridge
  if (isWatched) return
  const listen = net.Server.prototype.listen
  net.Server.prototype.listen = function (...words) {
    if (this[OURS]) return Reflect.apply(listen, this, words)
    this.once('listening', () => {
      const { port } = typeof this.address() === 'object' ? (this.address() ?? {}) : {}
      if (!port) return
      net.Server[KEY].publish(port, true)
      this.once('close', () => net.Server[KEY].publish(port, false))
    })
    return Reflect.apply(listen, this, words)
  }
}

module.exports = { watchServers }
