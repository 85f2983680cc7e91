export function waitFor(error, { method, attempt, now }) {
  const headers = error.response?.headers
  if (headers === undefined) return null
  switch (error.status) {
    case 403:
    case 429: {
      const after = parseInt(headers['retry-after'], 10)
      if (!Number.isNaN(after)) return { reason: 'retry-after', seconds: after }
      if (Number(headers['x-ratelimit-remaining'] ?? 1) === 0) {
        const reset = Number(headers['x-ratelimit-reset']) * 1000
        return { reason: 'limit', seconds: 1 + (reset > now ? Math.ceil((reset - now) / 1000) : 0) }
      }
      return error.message.toLowerCase().includes('secondary rate limit') ? { reason: 'secondary', seconds: 60 } : null
    }
    case 500:
    case 502:
    case 503:
    case 504:
      return method === 'GET' || method === 'HEAD' ? { reason: 'server', seconds: Math.pow(2, attempt) / 2 } : null
    default:
      return null
  }
}
