// One side's end of the connection: frames go out and come in, and whoever asks can wait for one
// without an event loop. No thread is needed for it: the socket does not block, so it can be read at
// any time, and is looked at ever more rarely while nothing comes.
'use strict'
const { AsyncResource } = require('node:async_hooks')
const { readSync, writeSync } = require('node:fs')
const { setImmediate } = require('node:timers') // tests may replace the global ones
const { pack, parse, Splitter } = require('./frames.cjs')
const { Ports } = require('./network/ports.cjs')

const SILENCE_MS = 60_000 // without any word from the other side, somebody who waits gives up
const CHUNK = 64 * 1024
const FIRST_PAUSE_MS = 0.03
const LONGEST_PAUSE_MS = 5
const PAUSE_SHARE = 0.08 // of the time that has been waited already
const NOT_NOW = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINTR'])
const now = () => Number(process.hrtime.bigint()) / 1e6
const bell = new Int32Array(new SharedArrayBuffer(4)) // nobody rings it: to wait is to sleep

class Bridge {
  #socket = null
  #buffer = null
  #splitter = new Splitter()
  #frames = [] // that have come, and are not handled yet
  #unsent = [] // for a connection that is not there yet
  #outside = new AsyncResource('sdkbench.apart') // what comes belongs to nobody who happens to wait
  #isDue = false // whether the next frame will be handled by the event loop
  #ports
  #reach
  #take
  #ended
  #holds = 0
  #resting = false
  #over = null

  /**
   * @param {object} options
   * @param {'t' | 's'} options.side whose end this is
   * @param {() => string | null} [options.reach] called as long as there is no connection: it attaches one, or says why there will be none
   * @param {(tree: unknown[]) => void} options.take is given every frame
   * @param {(reason: string) => void} options.ended is told once that no more will come
   */
  constructor({ side, reach, take, ended }) {
    this.#ports = new Ports(side)
    this.#reach = reach
    this.#take = take
    this.#ended = ended
  }

  get isAttached() {
    return this.#socket !== null
  }

  get isOver() {
    return this.#over !== null
  }

  /** The connection is there, or will be in a moment. `base` is a path of this pair's own, the same on both sides.
   *
   * @param {import('node:net').Socket} socket
   */
  attach(socket, base) {
    this.#socket = socket
    this.#ports.base = base
    socket.on('data', (chunk) => {
      this.#push(chunk)
      this.#due()
    })
    socket.on('error', () => {})
    socket.on('close', () => this.#close())
    this.#refer()
    for (const frame of this.#unsent.splice(0)) this.#write(frame)
  }

  send(tree) {
    const frame = pack(tree)
    this.#wake()
    if (this.#socket) this.#write(frame)
    else this.#unsent.push(frame)
  }

  /** Make a port of this side's loopback interface reachable from the other side, or stop that. */
  publish(port, open) {
    if (this.#over !== null || !this.#socket) return
    if (open) this.#ports.offer(port)
    else this.#ports.withdraw(port)
    this.#write(pack(['port', port, open]))
  }

  /** The process stays up as long as somebody holds. */
  hold() {
    this.#holds++
    this.#refer()
  }

  release() {
    this.#holds--
    this.#refer()
  }

  /** The other side does nothing any more unless it is asked: no reason to stay up for it alone. */
  rest() {
    this.#resting = true
    this.#refer()
  }

  #refer() {
    if (this.#holds > 0 && !this.#resting) this.#socket?.ref()
    else this.#socket?.unref()
  }

  /** Handle frames until `done` says so. Everything else in this thread stands still meanwhile. */
  wait(done) {
    try {
      this.#wait(done)
    } finally {
      this.#due()
    }
  }

  #wait(done) {
    let since = now()
    for (;;) {
      while (this.#frames.length) {
        this.#handleNext()
        if (done()) return
        since = now()
      }
      if (done()) return
      if (this.#over !== null) throw new Error(this.#over)
      if (this.#read()) continue
      const waited = now() - since
      if (waited > SILENCE_MS) this.#end('no answer came for a minute')
      else Atomics.wait(bell, 0, 0, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS + waited * PAUSE_SHARE))
    }
  }

  /** Whether there is a connection; one that is not there is looked for. */
  look() {
    const reason = this.#socket ? null : this.#reach?.()
    if (reason) this.#end(reason)
    return this.#socket !== null
  }

  /** Whether something came. */
  #read() {
    if (!this.#socket) return this.look()
    this.#buffer ??= Buffer.allocUnsafeSlow(CHUNK)
    let count
    try {
      count = readSync(this.#descriptor, this.#buffer, 0, CHUNK, null)
    } catch (error) {
      if (!NOT_NOW.has(error.code)) this.#close()
      return false
    }
    if (count === 0) this.#close()
    else this.#push(Buffer.from(this.#buffer.subarray(0, count)))
    return true
  }

  get #descriptor() {
    const fd = this.#socket._handle?.fd
    if (!(fd >= 0)) throw Object.assign(new Error('it is closed'), { code: 'EBADF' })
    return fd
  }

  #write(frame) {
    if (this.#over !== null) return
    const began = now()
    for (let from = 0; from < frame.length; ) {
      try {
        from += writeSync(this.#descriptor, frame, from)
        continue
      } catch (error) {
        if (!NOT_NOW.has(error.code)) return this.#close()
      }
      // It may have to be heard before it listens.
      if (this.#read()) {
        this.#due()
        continue
      }
      if (this.#over !== null) return
      if (now() - began > SILENCE_MS) return this.#end('nothing was read for a minute')
      Atomics.wait(bell, 0, 0, 1)
    }
  }

  #push(chunk) {
    try {
      this.#frames.push(...this.#splitter.push(chunk))
    } catch (error) {
      this.#frames.push(error) // after what came before it
    }
  }

  /** One frame at a time, as messages come: what was promised is settled before the next. */
  #due() {
    if (this.#isDue || this.#frames.length === 0) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      if (this.#frames.length) this.#outside.runInAsyncScope(() => this.#handleNext())
      this.#due()
    })
  }

  #handleNext() {
    const frame = this.#frames.shift()
    if (this.#over !== null) return
    let tree
    try {
      if (frame instanceof Error) throw frame
      tree = parse(frame)
      if (tree[0] === 'port') return this.#ports.mirror(tree[1], tree[2])
    } catch (error) {
      return this.#break(`protocol error: ${error.message}`)
    }
    this.#wake()
    this.#take(tree)
  }

  #wake() {
    this.#resting = false
    this.#refer()
  }

  /** What has come is handled first. */
  #close() {
    if (this.#frames.length) setImmediate(() => this.#close())
    else this.#end('the other side is gone')
  }

  #end(reason) {
    if (this.#over !== null) return
    this.#over = reason
    this.#ports.close()
    this.#ended(reason)
  }

  #break(reason) {
    this.#socket?.destroy()
    this.#end(reason)
  }

  /** Nothing that comes later is looked at. */
  close(reason) {
    this.#break(reason)
  }
}

module.exports = { Bridge }
