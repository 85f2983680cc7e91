export class Problem extends Error {
  constructor(
    readonly status: 400 | 401 | 404 | 409 | 413 | 422,
    readonly code: string,
    readonly detail: string = code,
  ) {
    super(detail)
  }

  body(request_id: string) {
    return { request_id, code: this.code, detail: this.detail }
  }
}
