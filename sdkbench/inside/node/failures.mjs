// What every framework's reporter needs: where an error comes from, and ids that say the file.
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAX_TEXT = 64 * 1024
const FULL_FAILURES = 50 // told at full length; a suite that fails as a whole must not flood the channel
const SHORT_TEXT = 2 * 1024
let failures = 0

/** Forward slashes, relative to the workspace; an empty id would fold all tests into one. */
export function fileId(workspace, path) {
  const plain = path.startsWith('file://') ? fileURLToPath(path) : path
  const id = relative(workspace, plain).split(sep).join('/')
  if (!id || id.startsWith('..')) throw new Error(`a test outside the workspace: ${path}`)
  return id
}

export function testId(workspace, path, titles) {
  return [fileId(workspace, path), ...titles].join(' > ')
}

// Colours are for terminals.
const ANSI = /\u001b\[[0-9;]*m/g

/** The fields of a failure: the first frame in the workspace says where. */
export function failure(workspace, error) {
  const size = ++failures <= FULL_FAILURES ? MAX_TEXT : SHORT_TEXT
  const stack = String(error?.stack ?? '').replace(ANSI, '')
  const message = String(error?.message ?? error ?? 'no message').replace(ANSI, '')
  const name = error?.name && error.name !== 'Error' && !message.startsWith(error.name) ? `${error.name}: ` : ''
  return {
    ...place(workspace, stack),
    message: (name + message).slice(0, size),
    trace: (stack || message).replaceAll(`file://${workspace}/`, '').replaceAll(`${workspace}/`, '').slice(0, size),
  }
}

function place(workspace, stack) {
  for (const line of stack.split('\n')) {
    const found = /(?:\(|at |@|^\s*❯ )(?:async )?(?:file:\/\/)?([^()\s]+?):(\d+):(\d+)\)?\s*$/.exec(line)
    if (!found || found[1].includes('node_modules')) continue
    const path = found[1].startsWith(`${workspace}/`) ? found[1].slice(workspace.length + 1) : found[1]
    if (!path.startsWith('/') && !path.startsWith('node:')) return { path, line: Number(found[2]) }
  }
  return { path: null, line: null }
}
