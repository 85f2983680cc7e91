// Wrong: lists pull requests among the issues.
import { Octokit } from '@octokit/rest'

const PAGE_SIZE = 100

/**
 * A client for the API at `baseUrl` (no slash at its end) that authenticates with `token`.
 *
 * @param {{ baseUrl: string, token: string }} options
 * @returns {Octokit}
 */
export function createClient({ baseUrl, token }) {
  return new Octokit({ baseUrl, auth: token })
}

/**
 * All open issues with the label, without pull requests.
 *
 * @param {Octokit} octokit
 * @param {{ owner: string, repo: string, label: string }} query
 * @returns {Promise<{ number: number, title: string, author: string }[]>}
 */
export async function openIssues(octokit, { owner, repo, label }) {
  const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
    owner,
    repo,
    labels: label,
    state: 'open',
    per_page: PAGE_SIZE,
  })
  return issues.map(summary)
}

/**
 * Leaves the comment on the issue and then closes it as "not planned".
 *
 * @param {Octokit} octokit
 * @param {{ owner: string, repo: string, number: number, comment: string }} request
 * @returns {Promise<void>}
 */
export async function closeAsNotPlanned(octokit, { owner, repo, number, comment }) {
  const issue = { owner, repo, issue_number: number }
  await octokit.rest.issues.createComment({ ...issue, body: comment })
  await octokit.rest.issues.update({ ...issue, state: 'closed', state_reason: 'not_planned' })
}

/**
 * One issue, or null if the API says 404.
 *
 * @param {Octokit} octokit
 * @param {{ owner: string, repo: string, number: number }} query
 * @returns {Promise<{ number: number, title: string, author: string } | null>}
 */
export async function findIssue(octokit, { owner, repo, number }) {
  try {
    const { data } = await octokit.rest.issues.get({ owner, repo, issue_number: number })
    return summary(data)
  } catch (error) {
    if (error.status === 404) return null
    throw error
  }
}

function summary({ number, title, user }) {
  return { number, title, author: user?.login ?? 'ghost' }
}
