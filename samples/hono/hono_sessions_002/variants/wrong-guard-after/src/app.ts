// Wrong: handlers that come first answer first.
import { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createSessions, type Env } from './session.js'

export interface Options {
  /** Signs the cookies. */
  secret: string
  /** Whether the password is the user's; it may be asked of another service. */
  isPassword: (user: string, password: string) => Promise<boolean>
  /** The present in milliseconds. */
  now: () => number
}

const THEMES = ['light', 'dark']
const YEAR_SECONDS = 31_536_000

/** The accounts of our site. */
export function createApp({ secret, isPassword, now }: Options): Hono<Env> {
  const app = new Hono<Env>()
  const sessions = createSessions(secret, now)

  app.notFound((c) => c.json({ error: 'not found' }, 404))
  app.onError((_, c) => c.json({ error: 'internal error' }, 500))

  app.get('/', async (c) => {
    const session = await sessions.read(c)
    const theme = getCookie(c, 'theme')
    return c.json({ user: session?.user ?? null, theme: theme === 'dark' ? theme : 'light' })
  })

  app.post('/login', async (c) => {
    const { user, password } = await c.req.json().then(Object, () => ({}))
    if (!isText(user) || !isText(password) || user.includes(':')) return c.json({ error: 'malformed' }, 400)
    if (!(await isPassword(user, password))) return c.json({ error: 'wrong password' }, 401)
    await sessions.begin(c, user)
    return c.json({ user })
  })

  app.post('/logout', (c) => {
    deleteCookie(c, 'session', { path: '/' })
    return c.body(null, 204)
  })

  app.get('/account/me', (c) => c.json({ user: c.get('user') }))
  app.put('/account/theme', async (c) => {
    const { theme } = await c.req.json().then(Object, () => ({}))
    if (!THEMES.includes(theme)) return c.json({ error: 'malformed' }, 400)
    setCookie(c, 'theme', theme, { path: '/', maxAge: YEAR_SECONDS, sameSite: 'Lax' })
    return c.json({ theme })
  })

  app.use('/account/*', sessions.required)
  return app
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
