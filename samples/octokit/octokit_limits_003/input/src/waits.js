// TODO: what GitHub's answers say about trying again.

/**
 * How long to wait before a request that failed is sent again, or null if it should not be.
 *
 * - Status 403 or 429 with the header retry-after: that many seconds ("retry-after").
 * - Status 403 or 429 with x-ratelimit-remaining 0: until the time in x-ratelimit-reset (seconds since 1970), and one
 *   second more; one second if that time is over ("limit"). retry-after counts more, if both are there.
 * - Status 403 or 429 without any of them, whose message speaks of a "secondary rate limit", in any case: a minute
 *   ("secondary").
 * - Status 500, 502, 503 or 504, but only for GET and HEAD, which change nothing: 1 second before the second
 *   attempt, 2 before the third, then 4 and so on ("server").
 *
 * @param {{ status: number, message: string, response?: { headers: Record<string, string> } }} error as the SDK throws
 *   it; without a response, nothing came back from GitHub: null
 * @param {{ method: string, attempt: number, now: number }} about attempt: how often it was sent, from 1; now: in milliseconds
 * @returns {{ seconds: number, reason: 'retry-after' | 'limit' | 'secondary' | 'server' } | null}
 */
export function waitFor(error, about) {
  throw new Error('Not implemented')
}
