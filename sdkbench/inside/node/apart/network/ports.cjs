// Servers on the loopback interface, made reachable from the other sandbox, which has a network of its own.
//
// A port that one side listens on is offered at a socket in the shared folder; the other side listens
// on the same port and passes every connection on.
'use strict'
const { chmodSync, rmSync } = require('node:fs')
const net = require('node:net')

const MOST = 64 // servers at once
const HOSTS = ['127.0.0.1', '::1']

class Ports {
  #base
  #side
  #offered = new Map()
  #mirrored = new Map()

  /** @param {string} base path of this pair's sockets @param {'t' | 's'} side whose servers these are */
  constructor(base, side) {
    this.#base = base
    this.#side = side
  }

  /** Connections to our own server at `port` are accepted at a socket. */
  offer(port) {
    if (this.#offered.has(port) || this.#offered.size >= MOST) return
    const path = this.#path(this.#side, port)
    rmSync(path, { force: true })
    const server = net.createServer({ allowHalfOpen: true }, (near) => join(near, { host: 'localhost', port, autoSelectFamily: true }))
    server.on('error', () => {})
    server.listen(path, () => chmodSync(path, 0o777))
    this.#offered.set(port, server)
  }

  withdraw(port) {
    this.#offered.get(port)?.close()
    this.#offered.delete(port)
  }

  /** Listen where the other side does; resolved when a connection would be accepted, or refused. */
  async mirror(port, open) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('a port that is none')
    const servers = this.#mirrored.get(port) ?? []
    this.#mirrored.delete(port)
    for (const server of servers) server.close()
    if (!open || this.#mirrored.size >= MOST) return
    const path = this.#path(this.#side === 't' ? 's' : 't', port)
    const made = HOSTS.map((host) => listening(host, port, path))
    this.#mirrored.set(port, (await Promise.all(made)).filter(Boolean))
  }

  close() {
    for (const server of [...this.#offered.values(), ...[...this.#mirrored.values()].flat()]) server.close()
  }

  #path(side, port) {
    return `${this.#base}.${side}${port}`
  }
}

/** A server that passes connections on, or null where the port is taken: both may share a network. */
function listening(host, port, path) {
  return new Promise((resolve) => {
    const server = net.createServer({ allowHalfOpen: true }, (near) => join(near, { path }))
    server.on('error', () => resolve(null))
    server.listen({ host, port, ipv6Only: true }, () => resolve(server))
    server.unref()
  })
}

function join(near, address) {
  const far = net.connect({ ...address, allowHalfOpen: true })
  near.pipe(far)
  far.pipe(near)
  for (const [one, other] of [[near, far], [far, near]]) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroySoon())
  }
}

module.exports = { Ports }
