export function oneByOne(octokit) {
  const waiting = []
  let isBusy = false

  async function work() {
    if (isBusy) return
    isBusy = true
    while (waiting.length > 0) {
      const { request, options, resolve, reject } = waiting.shift()
      try {
        resolve(await request(options))
      } catch (error) {
        reject(error)
      }
    }
    isBusy = false
  }

  octokit.hook.wrap('request', (request, options) => {
    if (['GET', 'HEAD'].includes(options.method)) return request(options)
    return new Promise((resolve, reject) => {
      waiting.push({ request, options, resolve, reject })
      work()
    })
  })
}
