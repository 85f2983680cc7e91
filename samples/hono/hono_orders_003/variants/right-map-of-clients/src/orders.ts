import { Hono } from 'hono'
import { validator } from 'hono/validator'
import type { Env } from './app.js'
import { Problem } from './problems.js'

type Order = { id: string; client: string; lines: { sku: string; quantity: number }[]; state: 'open' | 'shipped' | 'cancelled' }

function wrongWith(body: any): string | undefined {
  if (!Array.isArray(body?.lines) || body.lines.length === 0 || body.lines.length > 50) return 'lines'
  const skus: string[] = []
  for (const [n, line] of body.lines.entries()) {
    if (line?.constructor !== Object) return `lines.${n}`
    if (!/^[A-Z][A-Z][A-Z]-\d\d\d\d$/.test(String(line.sku)) || skus.includes(line.sku)) return `lines.${n}.sku`
    skus.push(line.sku)
    const { quantity } = line
    if (typeof quantity !== 'number' || quantity % 1 !== 0 || quantity < 1 || quantity > 999) return `lines.${n}.quantity`
    const other = Object.keys(line).find((key) => key !== 'sku' && key !== 'quantity')
    if (other) return `lines.${n}.${other}`
  }
  return Object.keys(body).find((key) => key !== 'lines')
}

export function ordersApp() {
  const clients = new Map<string, Map<string, Order>>()
  const of = (client: string) => clients.get(client) ?? clients.set(client, new Map()).get(client)!
  let latest = 0

  const find = (client: string, id: string) => {
    const order = of(client).get(id)
    if (!order) throw new Problem(404, 'not_found')
    return order
  }

  const app = new Hono<Env>()
  app.post('/', async (c) => {
    const bytes = await c.req.arrayBuffer()
    if (bytes.byteLength > 10 * 1024) throw new Problem(413, 'too_large')
    let body
    try {
      body = JSON.parse(new TextDecoder().decode(bytes))
    } catch {
      throw new Problem(400, 'malformed')
    }
    const path = wrongWith(body)
    if (path !== undefined) throw new Problem(422, 'invalid', `${path}: this is wrong`)
    const id = `o${++latest}`
    const order: Order = { id, client: c.var.client, lines: body.lines, state: 'open' }
    of(order.client).set(id, order)
    c.header('Location', `/v1/orders/${id}`)
    return c.json(order, 201)
  })

  const state = validator('query', ({ state }) => {
    if (state === undefined || state === 'open' || state === 'shipped' || state === 'cancelled') return { state }
    throw new Problem(422, 'invalid', 'state: unknown')
  })
  app.get('/', state, (c) => {
    const wanted = c.req.valid('query').state
    return c.json({ orders: [...of(c.var.client).values()].filter((order) => !wanted || order.state === wanted) })
  })
  app.get('/:id', (c) => c.json(find(c.var.client, c.req.param('id'))))
  app.post('/:id/:action{ship|cancel}', (c) => {
    const { id, action } = c.req.param()
    const order = find(c.var.client, id)
    if (order.state !== 'open') throw new Problem(409, 'not_open')
    order.state = action === 'ship' ? 'shipped' : 'cancelled'
    return c.json(order)
  })
  return app
}
