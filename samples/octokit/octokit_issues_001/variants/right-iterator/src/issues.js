import { Octokit } from '@octokit/rest'
import { summarise } from './summary.js'

export const createClient = ({ baseUrl, token }) => new Octokit({ auth: `token ${token}`, baseUrl })

export async function openIssues(octokit, { label, ...repository }) {
  const found = []
  const pages = octokit.paginate.iterator('GET /repos/{owner}/{repo}/issues', { ...repository, labels: label, state: 'open' })
  for await (const { data } of pages) {
    for (const issue of data) if (!('pull_request' in issue)) found.push(summarise(issue))
  }
  return found
}

export async function closeAsNotPlanned(octokit, { owner, repo, number, comment }) {
  const address = `/repos/${owner}/${repo}/issues/${number}`
  await octokit.request(`POST ${address}/comments`, { body: comment })
  await octokit.request(`PATCH ${address}`, { state: 'closed', state_reason: 'not_planned' })
}

export function findIssue(octokit, { number, ...repository }) {
  return octokit.rest.issues.get({ ...repository, issue_number: number }).then(
    (response) => summarise(response.data),
    (error) => (error.status === 404 ? null : Promise.reject(error)),
  )
}
