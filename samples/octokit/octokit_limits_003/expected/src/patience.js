import { waitFor } from './waits.js'

/** Sends requests again as src/waits.js says. */
export function patience(octokit, { patience: { sleep, now, attempts = 3, longest = 600, onWait } }) {
  octokit.hook.wrap('request', async (request, options) => {
    const { method, url } = options
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request(options)
      } catch (error) {
        const wait = attempt < attempts ? waitFor(error, { method, attempt, now: now() }) : null
        if (wait === null || wait.seconds > longest) throw error
        onWait?.({ method, url, attempt, ...wait })
        await sleep(wait.seconds * 1000)
      }
    }
  })
}
