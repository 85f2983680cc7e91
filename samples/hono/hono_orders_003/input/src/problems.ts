/**
 * How our APIs tell errors: JSON { code, detail, request_id } with the error's status, where request_id is the answer's
 * x-request-id. The header x-request-id is there too, as on every answer.
 */
export class Problem extends Error {
  constructor(
    readonly status: 400 | 401 | 404 | 409 | 413 | 422,
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail)
  }
}
