// Wrong: a right that is missing does not come by waiting.
const SECONDARY_SECONDS = 60
const REPEATABLE = ['GET', 'HEAD']
const SERVER_ERRORS = [500, 502, 503, 504]

/** How long to wait before a request that failed is sent again, or null if it should not be. */
export function waitFor({ status, response }, { method, attempt, now }) {
  if (!response) return null
  if (status === 403 || status === 429) return limitWait(response.headers, now)
  if (!SERVER_ERRORS.includes(status) || !REPEATABLE.includes(method)) return null
  return { seconds: 2 ** (attempt - 1), reason: 'server' }
}

function limitWait(headers, now) {
  if (headers['retry-after'] !== undefined) return { seconds: Number(headers['retry-after']), reason: 'retry-after' }
  if (headers['x-ratelimit-remaining'] === '0') {
    const left = Number(headers['x-ratelimit-reset']) - Math.floor(now / 1000)
    return { seconds: Math.max(left, 0) + 1, reason: 'limit' }
  }
  return { seconds: SECONDARY_SECONDS, reason: 'secondary' }
}
