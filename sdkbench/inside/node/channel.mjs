// The channel: records about a run, as numbered JSON lines that carry the run's nonce.
//
// The only place in JavaScript that writes records; sdkbench/test_harness reads them.
import { closeSync, openSync, writeSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ANSI } from './words.mjs'

const MAX_TEXT = 64 * 1024
const FULL_FAILURES = 50 // reported at full length; a suite that fails as a whole must not flood the channel
const SHORT_TEXT = 2 * 1024
const MAX_CAUSES = 4

/**
 * @typedef {object} Case how one test ended
 * @property {'passed' | 'failed' | 'skipped'} status
 * @property {boolean} [expectedFailure] it was meant to fail: never a clean pass
 * @property {number} [milliseconds]
 * @property {string} [reason] why it was skipped
 * @property {unknown} [error] of a test that failed
 * @property {object} [place] `file` and `line` of the test, for an error that does not say where
 */

export class Channel {
  #fd
  #nonce
  #workspace
  #number = 0
  #failures = 0
  #began = performance.now()

  constructor({ channel_fd: fd, nonce, workspace }) {
    // Opened anew, the descriptor is closed on exec: no child inherits it.
    this.#fd = openSync(`/proc/self/fd/${fd}`, 'w')
    closeSync(Number(fd))
    this.#nonce = nonce
    this.#workspace = workspace
  }

  send(kind, fields = {}) {
    if (kind === 'built') fields = { ...fields, seconds: (performance.now() - this.#began) / 1000 }
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

  /** Nothing more can be said, by nobody. */
  close() {
    closeSync(this.#fd)
  }

  /** Tests that will run, by their titles. */
  sendCollected(path, tests) {
    this.send('collected', { ids: tests.map((titles) => this.testId(path, titles)) })
  }

  /** The framework says that its run is over; boot.mjs reports it, with the status. */
  sendFinished() {}

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
      seconds: Number.isFinite(milliseconds) ? milliseconds / 1000 : 0,
      reason: String(reason).slice(0, SHORT_TEXT),
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
    const message = withCauses(error).replace(ANSI, '')
    return {
      ...(placeOf(workspace, stack) ?? (place ? { path: this.fileId(place.file), line: place.line } : { path: null, line: null })),
      message: message.slice(0, size),
      trace: (stack || message).replaceAll(`file://${workspace}/`, '').replaceAll(`${workspace}/`, '').slice(0, size),
    }
  }
}

/** The error in words; what caused it stands in the first line, which may be all that is shown. */
function withCauses(error) {
  const causes = []
  let one = error?.cause ?? error?.errors?.[0]
  for (; one && causes.length < MAX_CAUSES; one = one.cause ?? one.errors?.[0]) causes.push(inWords(one).split('\n')[0])
  const [first, ...rest] = inWords(error).trim().split('\n')
  return [`${first}${causes.map((cause) => ` (cause: ${cause})`).join('')}`, ...rest].join('\n')
}

function inWords(error) {
  const message = String(error?.message ?? error ?? 'no message')
  const name = error?.name
  return name && name !== 'Error' && !message.startsWith(name) ? `${name}: ${message}` : message
}

/** A number of a line, or null: a stack may say anything. */
const lineOf = (digits) => (digits.length < 10 ? Number(digits) : null)

function placeOf(workspace, stack) {
  for (const line of stack.split('\n')) {
    const frame = /(?:\(|at |@|^\s*❯ )(?:async )?(?:file:\/\/)?([^()\s]+?):(\d+):(\d+)\)?\s*$/.exec(line)
    if (!frame || frame[1].includes('node_modules')) continue
    const path = frame[1].startsWith(`${workspace}/`) ? frame[1].slice(workspace.length + 1) : frame[1]
    if (!path.startsWith('/') && !path.startsWith('node:')) return { path: path.slice(0, SHORT_TEXT), line: lineOf(frame[2]) }
  }
  return undefined
}
