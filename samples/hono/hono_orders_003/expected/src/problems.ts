import type { Context } from 'hono'

export type Status = 400 | 401 | 404 | 409 | 413 | 422

/** How our APIs tell errors: JSON { code, detail, request_id } with the error's status. */
export class Problem extends Error {
  constructor(
    readonly status: Status,
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail)
  }
}

export function tell(c: Context, status: Status | 500, code: string, detail: string): Response {
  return c.json({ code, detail, request_id: c.get('requestId') }, status)
}
