import { readFile, writeFile } from './files.js'

/**
 * Proposes a change of one file: a new branch from the default one, a commit on it, and a pull request with labels
 * and reviewers, whose number is given. If the file has that text already, nothing is done: null.
 *
 * @param {{ owner: string, repo: string, path: string, text: string, branch: string, title: string,
 *   labels?: string[], reviewers?: string[] }} change reviewers: users' logins
 */
export async function propose(octokit, { owner, repo, path, text, branch, title, labels = [], reviewers = [] }) {
  const repository = { owner, repo }
  const before = await readFile(octokit, { ...repository, path })
  if (before && before.text === text) return null

  const { data: about } = await octokit.rest.repos.get(repository)
  const { data: head } = await octokit.rest.git.getRef({ ...repository, ref: `heads/${about.default_branch}` })
  await octokit.rest.git.createRef({ ...repository, ref: `refs/heads/${branch}`, sha: head.object.sha })
  await writeFile(octokit, { ...repository, path, branch, text, message: title, sha: before ? before.sha : undefined })

  const { data: pull } = await octokit.rest.pulls.create({ ...repository, title, head: branch, base: about.default_branch })
  if (labels.length > 0) await octokit.rest.issues.setLabels({ ...repository, issue_number: pull.number, labels })
  if (reviewers.length > 0) {
    await octokit.rest.pulls.requestReviewers({ ...repository, pull_number: pull.number, reviewers })
  }
  return pull.number
}

/** The numbers of all open pull requests that are no drafts and have the label, in the order of the API. */
export async function openProposals(octokit, { owner, repo, label }) {
  const query = { owner, repo, state: 'open', per_page: 100 }
  const pulls = await octokit.paginate(octokit.rest.pulls.list, query)
  return pulls.filter((pull) => !pull.draft && pull.labels.some(({ name }) => name === label)).map(({ number }) => number)
}

/**
 * Says on the last commit of a pull request how a check of ours went (`state` is "success", "failure", "error" or
 * "pending"), and leaves the summary as a comment unless it is empty.
 */
export async function reportCheck(octokit, { owner, repo, number, context, state, summary }) {
  const { data: pull } = await octokit.rest.pulls.get({ owner, repo, pull_number: number })
  await octokit.rest.repos.createCommitStatus({ owner, repo, sha: pull.head.sha, context, state })
  if (summary) await octokit.rest.issues.createComment({ owner, repo, issue_number: number, body: summary })
}
