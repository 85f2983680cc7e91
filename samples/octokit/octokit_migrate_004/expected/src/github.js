import { Octokit } from '@octokit/rest'

/** A client that authenticates with `token`, for the API at `baseUrl` (without a slash at its end). */
export function connect({ token, baseUrl }) {
  return new Octokit({ auth: token, baseUrl, log: { debug() {}, info() {}, warn: console.warn, error() {} } })
}
