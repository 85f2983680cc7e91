import Octokit from '@octokit/rest'

// Written for @octokit/rest 16.

/** A client that authenticates with `token`, for the API at `baseUrl` (without a slash at its end). */
export function connect({ token, baseUrl }) {
  const octokit = new Octokit({ baseUrl, log: { debug() {}, info() {}, warn: console.warn, error() {} } })
  octokit.authenticate({ type: 'token', token })
  return octokit
}
