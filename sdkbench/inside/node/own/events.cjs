// The channel as reporters know it, inside a framework that runs as the project's own command: what they
// say is appended to a file, line by line. run.mjs reads it, and says it again by the real channel.
//
// Loaders of the project may read this file, and those in ../reporters/*.cjs, before Node does: some know
// no `node:` prefix, and nothing that is newer than ES2017.
const { openSync, writeSync } = require('fs')

const MAX_DEPTH = 5 // of causes
let fd

function say(...event) {
  if (fd === undefined) fd = openSync(process.env.SDKBENCH_EVENTS, 'a')
  writeSync(fd, JSON.stringify(event) + '\n')
}

/** An error as plain data: its own properties may be anything. */
function plain(error, depth = 0) {
  if (error === null || typeof error !== 'object' || depth > MAX_DEPTH) return error === undefined ? undefined : String(error)
  const { name, message, stack, cause, errors } = error
  return {
    name: name === undefined ? undefined : String(name),
    message: message === undefined ? shown(error) : String(message),
    stack: stack === undefined ? '' : String(stack),
    cause: cause ? plain(cause, depth + 1) : undefined,
    errors: Array.isArray(errors) ? errors.slice(0, 1).map((one) => plain(one, depth + 1)) : undefined,
  }
}

function shown(value) {
  try {
    return JSON.stringify(value)
  } catch (_) {
    return String(value)
  }
}

module.exports = {
  sendCollected: (path, tests) => say('sendCollected', path, tests),
  sendStart: (path, titles) => say('sendStart', path, titles),
  sendCase: (path, titles, ended) => say('sendCase', path, titles, Object.assign({}, ended, { error: plain(ended.error) })),
  sendRunError: (error, path) => say('sendRunError', plain(error), path),
  sendFileWithoutTests: (path, { details, skip }) => say('sendFileWithoutTests', path, { milliseconds: details && details.duration_ms, skip }),
  sendFinished: () => say('sendFinished'),
  sendBegan: (framework) => say('sendBegan', framework),
  sendExit: (code) => say('sendExit', code),
}
