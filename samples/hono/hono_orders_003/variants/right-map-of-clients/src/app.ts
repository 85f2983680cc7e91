import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { RequestIdVariables } from 'hono/request-id'
import { ordersApp } from './orders.js'
import { Problem } from './problems.js'

export type Env = { Variables: RequestIdVariables & { client: string } }
type Options = { keys: Record<string, string>; report: (requestId: string, error: unknown) => void }

export const createApp = ({ keys, report }: Options) => {
  const app = new Hono<Env>()
  const fail = (c: Context<Env>, problem: Problem) => c.json(problem.body(c.var.requestId), problem.status)

  app.use(async (c, next) => {
    const own = c.req.header('x-request-id')
    const id = own && own.length >= 8 && own.length <= 64 && !/[^A-Za-z0-9-]/.test(own) ? own : randomUUID()
    c.set('requestId', id)
    await next()
    c.res.headers.set('x-request-id', id)
  })
  app.onError((error, c) => {
    if (error instanceof Problem) return fail(c, error)
    report(c.var.requestId, error)
    return c.json({ code: 'internal', detail: 'Something went wrong.', request_id: c.var.requestId }, 500)
  })
  app.notFound((c) => fail(c, new Problem(404, 'not_found')))
  app.get('/health', (c) => c.json({ status: 'ok' }))

  const v1 = new Hono<Env>()
  v1.use(async (c, next) => {
    const [way, key] = (c.req.header('authorization') ?? '').split(' ')
    if (way !== 'Bearer' || !Object.hasOwn(keys, key)) {
      c.header('www-authenticate', 'Bearer')
      return fail(c, new Problem(401, 'unauthorized'))
    }
    c.set('client', keys[key])
    return next()
  })
  v1.route('/orders', ordersApp())
  return app.route('/v1', v1)
}
