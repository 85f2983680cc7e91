// TODO: implement these functions with @octokit/rest.

/**
 * A client for the API at `baseUrl` (no slash at its end) that authenticates with `token`.
 *
 * @param {{ baseUrl: string, token: string }} options
 * @returns {import('@octokit/rest').Octokit}
 */
export function createClient(options) {
  throw new Error('Not implemented')
}

/**
 * All open issues with the label, in the order of the API, however many pages they fill. The API
 * lists pull requests among the issues: leave them out.
 *
 * @param {import('@octokit/rest').Octokit} octokit
 * @param {{ owner: string, repo: string, label: string }} query
 * @returns {Promise<{ number: number, title: string, author: string }[]>} author: the user's login,
 *   "ghost" for a deleted user, whom the API gives as null
 */
export async function openIssues(octokit, query) {
  throw new Error('Not implemented')
}

/**
 * Leaves the comment on the issue and then closes it as "not planned". If the comment fails, the
 * issue stays open and the error is thrown.
 *
 * @param {import('@octokit/rest').Octokit} octokit
 * @param {{ owner: string, repo: string, number: number, comment: string }} request
 * @returns {Promise<void>}
 */
export async function closeAsNotPlanned(octokit, request) {
  throw new Error('Not implemented')
}

/**
 * One issue, or null if the API says 404. Every other error is thrown.
 *
 * @param {import('@octokit/rest').Octokit} octokit
 * @param {{ owner: string, repo: string, number: number }} query
 * @returns {Promise<{ number: number, title: string, author: string } | null>}
 */
export async function findIssue(octokit, query) {
  throw new Error('Not implemented')
}
