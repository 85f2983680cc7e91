const CONTENTS = '/repos/{owner}/{repo}/contents/{+path}'

export const readFile = (octokit, file) =>
  octokit.request(`GET ${CONTENTS}`, encoded(file)).then(
    ({ data: { content, sha } }) => ({ text: Buffer.from(content, 'base64').toString(), sha }),
    (error) => {
      if (error.status !== 404) throw error
      return null
    },
  )

export async function writeFile(octokit, { text, ...file }) {
  const content = Buffer.from(text, 'utf8').toString('base64')
  return (await octokit.request(`PUT ${CONTENTS}`, { ...encoded(file), content })).data.commit.sha
}

const encoded = (file) => ({ ...file, path: file.path.split('/').map(encodeURIComponent).join('/') })
