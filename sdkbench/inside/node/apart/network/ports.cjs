// Servers on the loopback interface, made reachable from the other sandbox, which has a network of its own.
//
// A port that one side listens on is offered at a socket in the shared folder; the other side listens
// on the same port and passes every connection on.
'use strict'
const { chmodSync, rmSync } = require('node:fs')
const net = require('node:net')

const MOST = 64 // servers at once
const HOSTS = ['127.0.0.1', '::1']
const OURS = Symbol.for('sdkbench.apart.ours') // a server that is nobody's business but this file's

class Ports {
  base = '' // path of this pair's sockets
  #side
  #offered = new Map()
  #mirrored = new Map()

  /** @param {'t' | 's'} side whose servers these are */
  constructor(side) {
    this.#side = side
  }

  /** Connections to our own server at `port` are accepted at a socket. */
  offer(port) {
    if (this.#offered.has(port) || this.#offered.size >= MOST) return
    const path = this.#path(this.#side, port)
    rmSync(path, { force: true })
    const server = serverOf((near) => join(near, { host: 'localhost', port, autoSelectFamily: true }))
    server.on('error', () => {})
    server.listen(path, () => chmodSync(path, 0o777))
    server.unref()
    this.#offered.set(port, server)
  }

  withdraw(port) {
    this.#offered.get(port)?.close()
    this.#offered.delete(port)
  }

  /** Listen where the other side does. A connection would be accepted, or refused, from the loop's next turn on. */
  mirror(port, open) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('a port that is none')
    const servers = this.#mirrored.get(port) ?? []
    this.#mirrored.delete(port)
    for (const server of servers) server.close()
    if (!open || this.#mirrored.size >= MOST) return
    const path = this.#path(this.#side === 't' ? 's' : 't', port)
    this.#mirrored.set(port, HOSTS.map((host) => listening(host, port, path)))
  }

  close() {
    for (const server of [...this.#offered.values(), ...[...this.#mirrored.values()].flat()]) server.close()
  }

  #path(side, port) {
    return `${this.base}.${side}${port}`
  }
}

/** A server that passes connections on; none where the port is taken: both may share a network. */
function listening(host, port, path) {
  const server = serverOf((near) => join(near, { path }))
  server.on('error', () => {})
  server.listen({ host, port, ipv6Only: true })
  server.unref()
  return server
}

function serverOf(accept) {
  const server = new net.Server({ allowHalfOpen: true }, accept)
  server[OURS] = true
  return server
}

/** What is passed on keeps nobody up: those who talk do that. */
function join(near, address) {
  const far = new net.Socket({ allowHalfOpen: true })
  far.connect(address)
  near.pipe(far)
  far.pipe(near)
  for (const [one, other] of [[near, far], [far, near]]) {
    one.unref()
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroySoon())
  }
}

module.exports = { OURS, Ports }
