// The channel: records about a run, as numbered JSON lines that carry the run's nonce.
//
// The only place in JavaScript that writes records; sdkbench/test_harness reads them.
import { closeSync, openSync, writeSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAX_TEXT = 64 * 1024
const FULL_FAILURES = 50 // reported at full length; a suite that fails as a whole must not flood the channel
const SHORT_TEXT = 2 * 1024
const ANSI = /\u001b\[[0-9;]*m/g // colours are for terminals

/**
 * @typedef {object} Case how one test ended
 * @property {'passed' | 'failed' | 'skipped'} status
 * @property {boolean} [expectedFailure] it was meant to fail: never a clean pass
 * @property {number} [milliseconds]
 * @property {string} [reason] why it was skipped
 * @property {unknown} [error] of a test that failed
 * @property {object} [place] `path` and `line` of the test, for an error that does not say where
 */

export class Channel {
  #fd
  #nonce
  #workspace
  #number = 0
  #failures = 0

  constructor({ channel_fd: fd, nonce, workspace }) {
    // Opened anew, the descriptor is closed on exec: no child inherits it.
    this.#fd = openSync(`/proc/self/fd/${fd}`, 'w')
    closeSync(Number(fd))
    this.#nonce = nonce
    this.#workspace = workspace
  }

  send(kind, fields = {}) {
    const record = { nonce: this.#nonce, number: this.#number++, kind, ...fields }
    let data = Buffer.from(JSON.stringify(record) + '\n')
    while (data.length) {
      try {
        data = data.subarray(writeSync(this.#fd, data))
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5) // the reader is behind
      }
    }
  }

  /** A test is named by its file and by its titles, the outermost suite's first. */
  sendStart(path, titles) {
    this.send('start', { id: this.testId(path, titles) })
  }

  /** @param {Case} ended */
  sendCase(path, titles, { status, expectedFailure = false, milliseconds, reason = '', error, place }) {
    this.send('case', {
      id: this.testId(path, titles),
      status,
      expected_failure: Boolean(expectedFailure),
      seconds: (milliseconds ?? 0) / 1000,
      reason,
      ...(status === 'failed' ? this.#failure(error, place) : {}),
    })
  }

  /** An error outside of any test; `path` is the test file, where one is to blame. */
  sendRunError(error, path) {
    this.send('run_error', { ...(path ? { id: this.fileId(path) } : {}), ...this.#failure(error) })
  }

  testId(path, titles) {
    return [this.fileId(path), ...titles].join(' > ')
  }

  /** Forward slashes, relative to the workspace; an empty id would fold all tests into one. */
  fileId(path) {
    const plain = path.startsWith('file://') ? fileURLToPath(path) : path
    const id = relative(this.#workspace, plain).split(sep).join('/')
    if (!id || id.startsWith('..')) throw new Error(`a test outside the workspace: ${path}`)
    return id
  }

  /** The fields of a failure: the first frame in the workspace says where, or else `place` does. */
  #failure(error, place) {
    const workspace = this.#workspace
    const size = ++this.#failures <= FULL_FAILURES ? MAX_TEXT : SHORT_TEXT
    const stack = String(error?.stack ?? '').replace(ANSI, '')
    const message = String(error?.message ?? error ?? 'no message').replace(ANSI, '')
    const name = error?.name && error.name !== 'Error' && !message.startsWith(error.name) ? `${error.name}: ` : ''
    return {
      ...(placeOf(workspace, stack) ?? place ?? { path: null, line: null }),
      message: (name + message).slice(0, size),
      trace: (stack || message).replaceAll(`file://${workspace}/`, '').replaceAll(`${workspace}/`, '').slice(0, size),
    }
  }
}

function placeOf(workspace, stack) {
  for (const line of stack.split('\n')) {
    const frame = /(?:\(|at |@|^\s*❯ )(?:async )?(?:file:\/\/)?([^()\s]+?):(\d+):(\d+)\)?\s*$/.exec(line)
    if (!frame || frame[1].includes('node_modules')) continue
    const path = frame[1].startsWith(`${workspace}/`) ? frame[1].slice(workspace.length + 1) : frame[1]
    if (!path.startsWith('/') && !path.startsWith('node:')) return { path, line: Number(frame[2]) }
  }
  return undefined
}
