/** A file of the default branch: { text, sha }, or null if there is none. Every other error is thrown. */
export async function readFile(octokit, { owner, repo, path }) {
  try {
    const { data } = await octokit.rest.repos.getContent({ owner, repo, path })
    return { text: Buffer.from(data.content, 'base64').toString('utf8'), sha: data.sha }
  } catch (error) {
    if (error.status === 404) return null
    throw error
  }
}

/** Writes a file to a branch; `sha` is the one of the file that is replaced, and undefined if the file is new. */
export async function writeFile(octokit, { owner, repo, path, branch, text, message, sha }) {
  const content = Buffer.from(text).toString('base64')
  const file = { owner, repo, path, branch, message, content, sha }
  const { data } = await octokit.rest.repos.createOrUpdateFileContents(file)
  return data.commit.sha
}
