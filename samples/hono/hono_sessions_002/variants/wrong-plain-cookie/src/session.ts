// Wrong: nobody looks at the signature.
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setSignedCookie } from 'hono/cookie'

export type Env = { Variables: { user: string } }

const NAME = 'session'
const SECONDS = 1800
const RENEWED_SECONDS = 600

/** Sessions in signed cookies: USER:EXPIRY. */
export function createSessions(secret: string, now: () => number) {
  const present = () => Math.floor(now() / 1000)

  async function begin(c: Context, user: string): Promise<void> {
    const attributes = { path: '/', maxAge: SECONDS, httpOnly: true, secure: true, sameSite: 'Lax' } as const
    await setSignedCookie(c, NAME, `${user}:${present() + SECONDS}`, secret, attributes)
  }

  async function read(c: Context): Promise<{ user: string; left: number } | null> {
    const value = getCookie(c, NAME)
    if (!value) return null
    const [user, expiry] = value.split(/[:.]/)
    const left = Number(expiry) - present()
    return left > 0 ? { user, left } : null
  }

  const required: MiddlewareHandler<Env> = async (c, next) => {
    const session = await read(c)
    if (session === null) return c.json({ error: 'login required' }, 401)
    c.set('user', session.user)
    await next()
    if (session.left < RENEWED_SECONDS) await begin(c, session.user)
  }

  return { begin, read, required }
}
