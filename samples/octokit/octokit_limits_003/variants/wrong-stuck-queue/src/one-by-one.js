// Wrong: a change that fails makes all later ones fail.
/** Sends requests that may change something one by one. */
export function oneByOne(octokit) {
  let latest = Promise.resolve()

  octokit.hook.wrap('request', (request, options) => {
    if (options.method === 'GET' || options.method === 'HEAD') return request(options)
    const answer = latest.then(() => request(options))
    latest = answer
    return answer
  })
}
