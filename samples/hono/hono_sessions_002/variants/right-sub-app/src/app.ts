import { type Context, Hono } from 'hono'
import * as cookies from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'

interface Options {
  secret: string
  isPassword: (user: string, password: string) => Promise<boolean>
  now: () => number
}
type Status = 400 | 401 | 404

const stop = (status: Status, message: string) => new HTTPException(status, { message })

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  try {
    const body = JSON.parse(await c.req.text())
    if (typeof body === 'object' && body !== null) return body
  } catch {}
  throw stop(400, 'malformed')
}

class Session {
  constructor(
    private readonly c: Context,
    private readonly options: Options,
  ) {}

  async user(): Promise<{ name: string; until: number } | undefined> {
    const value = await cookies.getSignedCookie(this.c, this.options.secret, 'session')
    const [, name, until] = /^([^:]+):(\d+)$/.exec(value || '') ?? []
    return name && Number(until) * 1000 > this.options.now() ? { name, until: Number(until) * 1000 } : undefined
  }

  start(name: string) {
    const expiry = Math.floor(this.options.now() / 1000) + 30 * 60
    const how = { httpOnly: true, secure: true, sameSite: 'lax', maxAge: 30 * 60 } as const
    return cookies.setSignedCookie(this.c, 'session', `${name}:${expiry}`, this.options.secret, how)
  }
}

function accountApp(options: Options) {
  const account = new Hono<{ Variables: { name: string } }>()
  account.use(
    createMiddleware(async (c, next) => {
      const session = new Session(c, options)
      const user = await session.user()
      if (!user) throw stop(401, 'login required')
      if (user.until - options.now() < 10 * 60 * 1000) await session.start(user.name)
      c.set('name', user.name)
      await next()
    }),
  )
  account.get('/me', (c) => c.json({ user: c.var.name }))
  account.put('/theme', async (c) => {
    const { theme } = await bodyOf(c)
    if (theme !== 'light' && theme !== 'dark') throw stop(400, 'malformed')
    c.header('set-cookie', `theme=${theme}; Max-Age=31536000; Path=/; SameSite=Lax`, { append: true })
    return c.json({ theme })
  })
  return account
}

export const createApp = (options: Options) =>
  new Hono()
    .onError((error, c) => (error instanceof HTTPException ? c.json({ error: error.message }, error.status) : c.json({ error: 'internal error' }, 500)))
    .notFound((c) => c.json({ error: 'not found' }, 404))
    .get('/', async (c) => {
      const user = await new Session(c, options).user()
      return c.json({ user: user ? user.name : null, theme: cookies.getCookie(c).theme === 'dark' ? 'dark' : 'light' })
    })
    .post('/login', async (c) => {
      const { user, password } = await bodyOf(c)
      if (typeof user !== 'string' || typeof password !== 'string' || !password || !/^[^:]+$/.test(user)) throw stop(400, 'malformed')
      if (!(await options.isPassword(user, password))) throw stop(401, 'wrong password')
      await new Session(c, options).start(user)
      return c.json({ user })
    })
    .post('/logout', (c) => {
      cookies.deleteCookie(c, 'session')
      return c.newResponse(null, 204)
    })
    .route('/account', accountApp(options))
