import { Hono } from 'hono'

export interface Options {
  /** Signs the cookies. */
  secret: string
  /** Whether the password is the user's; it may be asked of another service. */
  isPassword: (user: string, password: string) => Promise<boolean>
  /** The present in milliseconds. */
  now: () => number
}

/**
 * The accounts of our site.
 *
 * A session is a signed cookie of Hono's (hono/cookie) called `session`, whose value is USER:EXPIRY (expiry in
 * seconds since 1970). It is good if its signature is, and its expiry is still to come. It lasts 30 minutes (1800
 * seconds, as the cookie's Max-Age), and is HttpOnly, Secure, SameSite=Lax, for the path /.
 *
 * - POST /login takes JSON { user, password }, both texts that are not empty, and no ":" in a user's name: else 400
 *   { error: "malformed" }, also where it is no JSON. A wrong password is 401 { error: "wrong password" }. Else 200
 *   { user }, with a new session.
 * - POST /logout deletes the cookie, with or without a session: 204.
 * - Everything below /account/ is only for good sessions: else 401 { error: "login required" }, for any method and path.
 * - GET /account/me: { user }.
 * - PUT /account/theme takes JSON { theme: "light" | "dark" }: 200 { theme }, and a plain cookie `theme` for a year
 *   (31536000 seconds), SameSite=Lax, for the path /, which scripts may read. Anything else is 400 { error: "malformed" }.
 * - A session that is good for less than 10 minutes more is renewed by the answer to any request below /account/:
 *   with a new cookie as after a login.
 * - GET / says { user: string | null, theme: "light" | "dark" } to everybody: the theme is the one of the cookie, "light"
 *   without one or with any other value. It renews nothing.
 * - Anything else is 404 { error: "not found" }. Errors are JSON, also unexpected ones (if isPassword throws):
 *   500 { error: "internal error" }, which tells nothing about them.
 */
export function createApp(options: Options): Hono {
  const app = new Hono()

  // Still to come: the routes.

  return app
}
