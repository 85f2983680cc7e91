// One side's end of the connection: frames go out and come in, and the main thread can wait for one
// without its event loop. A worker thread owns the socket; this is what the main thread has of it.
'use strict'
const { join } = require('node:path')
const { MessageChannel, receiveMessageOnPort, Worker } = require('node:worker_threads')
const { pack, parse } = require('./frames.cjs')

const SILENCE_MS = 60_000 // without any word from the other side, somebody who waits gives up

class Bridge {
  #port
  #bell = new Int32Array(new SharedArrayBuffer(4))
  #take
  #ended
  #holds = 0
  #resting = false
  #over = null

  /**
   * @param {object} options
   * @param {string} [options.listen] the path of a socket that the other side will connect to
   * @param {string} [options.gone] a file that is there once nobody will connect any more
   * @param {string} [options.connect] the path of such a socket
   * @param {(tree: unknown[]) => void} options.take is given every frame
   * @param {(reason: string) => void} options.ended is told once that no more will come
   */
  constructor({ listen, gone, connect, take, ended }) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#take = take
    this.#ended = ended
    this.worker = new Worker(join(__dirname, 'bridge_worker.cjs'), {
      workerData: { port: port2, bell: this.#bell.buffer, listen, gone, connect },
      transferList: [port2],
      execArgv: [],
    })
    this.worker.on('error', (error) => this.#receive({ over: `the bridge broke: ${error.message}` }))
    this.worker.unref()
    port1.on('message', (message) => this.#receive(message))
    port1.unref()
  }

  send(tree) {
    const frame = pack(tree)
    this.#wake()
    this.#port.postMessage({ frame }, frame.buffer.byteLength === frame.length ? [frame.buffer] : [])
  }

  /** Make a port of this side's loopback interface reachable from the other side, or stop that. */
  publish(port, open) {
    this.#port.postMessage({ published: port, open })
  }

  /** The process stays up as long as somebody holds. */
  hold() {
    this.#holds++
    this.#port.ref()
  }

  release() {
    if (--this.#holds === 0) this.#port.unref()
  }

  /** The other side does nothing any more unless it is asked: no reason to stay up for it alone. */
  rest() {
    this.#resting = true
    this.#port.unref()
  }

  /** Handle frames until `done` says so. Everything else in this thread stands still meanwhile. */
  wait(done) {
    for (;;) {
      const seen = Atomics.load(this.#bell, 0)
      for (let got = receiveMessageOnPort(this.#port); got; got = receiveMessageOnPort(this.#port)) {
        this.#receive(got.message)
        if (done()) return
      }
      if (done()) return
      if (this.#over !== null) throw new Error(this.#over)
      if (Atomics.wait(this.#bell, 0, seen, SILENCE_MS) === 'timed-out') this.#end('no answer came for a minute')
    }
  }

  #receive({ frame, over }) {
    if (this.#over !== null) return
    if (over !== undefined) return this.#end(over)
    let tree
    try {
      tree = parse(frame)
    } catch (error) {
      return this.#end(`protocol error: ${error.message}`)
    }
    this.#wake()
    this.#take(tree)
  }

  #wake() {
    if (this.#resting && this.#holds) this.#port.ref()
    this.#resting = false
  }

  #end(reason) {
    if (this.#over !== null) return
    this.#over = reason
    this.#ended(reason)
  }

  /** Nothing that comes later is looked at. */
  close(reason) {
    this.#end(reason)
    this.#port.postMessage({ close: true })
  }
}

module.exports = { Bridge }
