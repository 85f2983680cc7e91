// The thread that owns the connection: it cuts bytes into frames and rings the bell for the main thread.
'use strict'
const { existsSync, renameSync } = require('node:fs')
const net = require('node:net')
const { workerData } = require('node:worker_threads')
const { pack, parse, Splitter } = require('./frames.cjs')
const { Ports } = require('./network/ports.cjs')

const LOOK_MS = 100
const NOBODY =
  "the process that should load the solution ended before a test asked for it. It has the framework's configuration and " +
  "none of the tests' files, so a configuration that names a setup file of theirs fails there; keep it in solution_driver/, or import it from the tests"
const { port, bell, listen, gone, connect } = workerData
const flag = new Int32Array(bell)
const base = (listen ?? connect).replace(/\.\w+$/, '') // the same on both sides
const ports = new Ports(base, listen ? 't' : 's')
const waiting = [] // frames for a connection that is not there yet
let socket = null
let order = Promise.resolve() // frames are handed on one after the other; a port has to be open first

function up(message) {
  port.postMessage(message)
  Atomics.add(flag, 0, 1)
  Atomics.notify(flag, 0)
}

function over(reason) {
  ports.close()
  up({ over: reason })
}

function send(frame) {
  if (socket) socket.write(frame)
  else waiting.push(frame)
}

function attach(connection) {
  socket = connection
  const splitter = new Splitter()
  socket.on('data', (chunk) => {
    let frames
    try {
      frames = splitter.push(chunk)
    } catch (error) {
      socket.destroy()
      return over(`protocol error: ${error.message}`)
    }
    for (const frame of frames) order = order.then(() => hand(frame))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    order = order.then(() => over('the other side is gone'))
  })
  for (const frame of waiting.splice(0)) socket.write(frame)
}

/** Published ports are this thread's business, the rest is the main thread's. */
async function hand(frame) {
  if (frame.subarray(0, 7).toString() !== '["port"') return up({ frame })
  try {
    const [, number, open] = parse(frame)
    await ports.mirror(number, open)
  } catch (error) {
    over(`protocol error: ${error.message}`)
  }
}

port.on('message', ({ frame, published, open, close }) => {
  if (frame) send(frame)
  else if (published) {
    if (open) ports.offer(published)
    else ports.withdraw(published)
    send(pack(['port', published, open]))
  } else if (close) socket?.destroy()
})

if (listen) {
  const looking = setInterval(() => existsSync(gone) && over(NOBODY), LOOK_MS)
  const server = net.createServer((connection) => {
    if (socket) return connection.destroy()
    clearInterval(looking)
    server.close()
    attach(connection)
  })
  // It gets its name when it can be connected to.
  server.listen(`${listen}.new`, () => renameSync(`${listen}.new`, listen))
  server.on('error', (error) => over(`no socket to listen at: ${error.message}`))
} else {
  const connection = net.connect(connect, () => attach(connection))
  connection.on('error', (error) => over(`no connection: ${error.message}`))
}
