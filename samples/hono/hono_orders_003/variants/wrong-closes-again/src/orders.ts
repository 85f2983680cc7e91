// Wrong: orders are closed again and again.
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Env } from './app.js'
import { invalid, type Line, linesOf } from './draft.js'
import { Problem } from './problems.js'

interface Order {
  id: string
  client: string
  lines: Line[]
  state: string
}

const STATES = ['open', 'shipped', 'cancelled']
const MOST_BYTES = 10_240

/** Orders, kept in memory; everybody sees and changes only their own. */
export function ordersApp(): Hono<Env> {
  const app = new Hono<Env>()
  const orders: Order[] = []

  function orderOf(c: Context<Env>): Order {
    const order = orders.find(({ id, client }) => id === c.req.param('id') && client === c.get('client'))
    if (order === undefined) throw new Problem(404, 'not_found', 'There is no such order.')
    return order
  }

  function close(c: Context<Env>, state: string): Response {
    const order = orderOf(c)
    order.state = state
    return c.json(order)
  }

  app.post('/', bodyLimit({ maxSize: MOST_BYTES, onError: tooLarge }), async (c) => {
    const body = await c.req.json().catch(() => {
      throw new Problem(400, 'malformed', 'The body is no JSON.')
    })
    const order = { id: `o${orders.length + 1}`, client: c.get('client'), lines: linesOf(body), state: 'open' }
    orders.push(order)
    return c.json(order, 201, { location: `/v1/orders/${order.id}` })
  })

  app.get('/', (c) => {
    const state = c.req.query('state')
    if (state !== undefined && !STATES.includes(state)) throw invalid('state', 'is unknown')
    const own = orders.filter(({ client }) => client === c.get('client'))
    return c.json({ orders: own.filter((order) => state === undefined || order.state === state) })
  })

  app.get('/:id', (c) => c.json(orderOf(c)))
  app.post('/:id/ship', (c) => close(c, 'shipped'))
  app.post('/:id/cancel', (c) => close(c, 'cancelled'))
  return app
}

function tooLarge(): never {
  throw new Problem(413, 'too_large', 'The body is larger than 10 KiB.')
}
