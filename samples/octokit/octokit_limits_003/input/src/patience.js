// TODO: an Octokit plugin (for `Octokit.plugin`) that waits and tries again.

/**
 * Sends requests again as src/waits.js says, whoever sends them (octokit.request, octokit.rest, octokit.paginate).
 * Its options are in `patience`:
 *
 *   sleep(milliseconds)   waits; a promise
 *   now()                 the time in milliseconds
 *   attempts              how often a request is sent at most; 3 if missing
 *   longest               seconds; a longer wait is not worth it: the error is thrown at once. 600 if missing
 *   onWait(wait)          is told of each wait before it begins, if given: { method, url, seconds, reason, attempt }, with
 *                         the route's url ("/repos/{owner}/{repo}/issues") and the attempt that failed, from 1
 *
 * What finally fails is thrown as the SDK throws it.
 */
export function patience(octokit, options) {
  throw new Error('Not implemented')
}
