import { Hono } from 'hono'

/**
 * The API of our warehouse, put together:
 *
 * - Each answer has the header x-request-id: the request's own, if it has one of 8 to 64 letters, digits or dashes,
 *   else a new UUID (version 4).
 * - The routes of src/orders.ts are at /v1/orders. All of /v1, whatever the path, wants the header
 *   `authorization: Bearer KEY` with one of `keys` (KEY → name of the client): else 401 with the code "unauthorized"
 *   and the header `www-authenticate: Bearer`.
 * - GET /health is { status: "ok" } for everybody.
 * - Any other path is 404 "not_found".
 * - Errors look as src/problems.ts says, wherever they come from. An unexpected one is 500 "internal" with the detail
 *   "Something went wrong."; it is given to `report`, together with the request's id. Other ones are not.
 */
export function createApp(options: {
  keys: Record<string, string>
  report: (requestId: string, error: unknown) => void
}): Hono {
  throw new Error('Not implemented')
}
