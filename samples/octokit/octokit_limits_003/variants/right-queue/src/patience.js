import { waitFor } from './waits.js'

export function patience(octokit, options) {
  const settings = Object.assign({ attempts: 3, longest: 600, onWait: () => {} }, options.patience)

  function send(request, options, attempt) {
    return Promise.resolve(request(options)).catch(async (error) => {
      if (attempt >= settings.attempts) throw error
      const wait = waitFor(error, { method: options.method, attempt, now: settings.now() })
      if (!wait || wait.seconds > settings.longest) throw error
      settings.onWait({ attempt, reason: wait.reason, seconds: wait.seconds, url: options.url, method: options.method })
      await settings.sleep(1000 * wait.seconds)
      return send(request, options, attempt + 1)
    })
  }

  octokit.hook.wrap('request', (request, options) => send(request, options, 1))
}
