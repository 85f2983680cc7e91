// Wrong: whatever a client sends is believed.
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ordersApp } from './orders.js'
import { Problem, tell } from './problems.js'

export type Env = { Variables: { requestId: string; client: string } }

/** The API of our warehouse, put together. */
export function createApp(options: { keys: Record<string, string>; report: (requestId: string, error: unknown) => void }): Hono<Env> {
  const app = new Hono<Env>()
  const clients = new Map(Object.entries(options.keys))

  app.use(requestIds)
  app.get('/health', (c) => c.json({ status: 'ok' }))
  app.use('/v1/*', authorization(clients))
  app.route('/v1/orders', ordersApp())
  app.notFound((c) => tell(c, 404, 'not_found', 'There is nothing here.'))
  app.onError((error, c) => {
    if (error instanceof Problem) {
      if (error.status === 401) c.header('www-authenticate', 'Bearer')
      return tell(c, error.status, error.code, error.detail)
    }
    options.report(c.get('requestId'), error)
    return tell(c, 500, 'internal', 'Something went wrong.')
  })
  return app
}

const requestIds = createMiddleware<Env>(async (c, next) => {
  const given = c.req.header('x-request-id') ?? ''
  const id = given || crypto.randomUUID()
  c.set('requestId', id)
  c.header('x-request-id', id)
  await next()
})

function authorization(clients: Map<string, string>) {
  return createMiddleware<Env>(async (c, next) => {
    const [, key = ''] = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '') ?? []
    const client = clients.get(key)
    if (client === undefined) throw new Problem(401, 'unauthorized', 'A key is needed.')
    c.set('client', client)
    await next()
  })
}
