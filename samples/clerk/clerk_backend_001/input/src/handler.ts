import type { Reports } from './reports'

export interface Options {
  secretKey: string
  publishableKey: string
  /** Clerk's public key (PEM), by which session tokens are verified. */
  jwtKey: string
  /** Origins of the applications whose session tokens are welcome. */
  authorizedParties: string[]
  reports: Reports
}

/**
 * A handler of web-standard requests that runs without Next.js and answers in JSON. Errors have
 * the body { "error": "<word>" } with the words below.
 *
 * GET /health is open to everybody, whatever token comes along: 200 { "ok": true }.
 *
 * Everything else, including addresses that don't exist, asks for Clerk's session token in the
 * header "Authorization: Bearer <token>"; cookies don't count. 401 "unauthenticated", with the
 * header "WWW-Authenticate: Bearer", where
 * - the token is missing, expired, or not signed by the key in `jwtKey`. Clerk is never asked: this
 *   handler runs where no network is
 * - the token was made for an application (claim azp) that isn't among `authorizedParties`
 * - the session is pending: its user still has something to do, such as choosing an organisation
 *
 * GET /me: 200 { "userId", "organizationId", "role" }, the latter two of the active organisation,
 * such as "org_acme" and "org:admin", or null where none is active.
 *
 * GET /reports: 200 { "reports": [...] }, those of the active organisation.
 * DELETE /reports/<id>: 204 without a body, or 404 "not-found" if the active organisation has no
 * such report. The id is percent-encoded in the address. It takes the permission
 * "org:reports:manage", whatever the role is: 403 "forbidden" without it.
 * Both of them: 403 "no-organization" where none is active, before anything else is looked at.
 *
 * Another method at one of these addresses: 405 "method-not-allowed". Any other address: 404
 * "not-found". Where `reports` fails: 500 "internal", which tells nothing of the reason.
 *
 * Session tokens come in two layouts (claim v): with org_id, org_role and org_permissions, and,
 * since version 2, with all of that packed into the claims o and fea. Both must work.
 */
export function createHandler(options: Options): (request: Request) => Promise<Response> {
  // TODO
  return async () => Response.json({ error: 'not-implemented' }, { status: 501 })
}
