import { Octokit } from '@octokit/rest'

const log = { debug() {}, info() {}, warn: console.warn, error() {} }

/** A client that speaks for us. `baseUrl` is only given where a test server stands in for GitHub. */
export function connect({ token, baseUrl }) {
  return new Octokit({ auth: token, log, ...(baseUrl && { baseUrl }) })
}
