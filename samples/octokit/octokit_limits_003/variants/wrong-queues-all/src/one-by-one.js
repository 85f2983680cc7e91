// Wrong: readers have to wait, too.
/** Sends requests that may change something one by one. */
export function oneByOne(octokit) {
  let latest = Promise.resolve()

  octokit.hook.wrap('request', (request, options) => {
    const answer = latest.then(() => request(options))
    latest = answer.catch(() => {})
    return answer
  })
}
