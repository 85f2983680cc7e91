import { readFile, writeFile } from './files.js'

export async function propose(octokit, change) {
  const { owner, repo, path, text, branch, title } = change
  const api = octokit.request.defaults({ owner, repo })
  const file = await readFile(octokit, { owner, repo, path })
  if (file?.text === text) return null

  const base = (await api('GET /repos/{owner}/{repo}')).data.default_branch
  const { data } = await api('GET /repos/{owner}/{repo}/git/ref/{+ref}', { ref: `heads/${base}` })
  await api('POST /repos/{owner}/{repo}/git/refs', { ref: `refs/heads/${branch}`, sha: data.object.sha })
  await writeFile(octokit, { owner, repo, path, branch, text, message: title, sha: file?.sha })
  const pull = await api('POST /repos/{owner}/{repo}/pulls', { title, head: branch, base })
  const { number } = pull.data
  if (change.labels?.length) await api(`PUT /repos/{owner}/{repo}/issues/${number}/labels`, { labels: change.labels })
  if (change.reviewers?.length) await api(`POST /repos/{owner}/{repo}/pulls/${number}/requested_reviewers`, { reviewers: change.reviewers })
  return number
}

export async function openProposals(octokit, { label, ...repository }) {
  const numbers = []
  for await (const { data } of octokit.paginate.iterator('GET /repos/{owner}/{repo}/pulls', repository)) {
    for (const { number, draft, labels } of data) {
      if (!draft && labels.find(({ name }) => name === label)) numbers.push(number)
    }
  }
  return numbers
}

export async function reportCheck(octokit, { owner, repo, number, context, state, summary }) {
  const { data } = await octokit.pulls.get({ owner, repo, pull_number: number })
  await octokit.repos.createCommitStatus({ owner, repo, sha: data.head.sha, state, context })
  if (summary) await octokit.issues.createComment({ owner, repo, issue_number: number, body: summary })
}
