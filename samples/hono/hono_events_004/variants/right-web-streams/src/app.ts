import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'

type Bid = { id: number; bidder: string; amount: number }

const refuse = (status: 400 | 409 | 410, error: string) => new HTTPException(status, { res: Response.json({ error }, { status }) })
const encoder = new TextEncoder()
const bidEvent = ({ id, ...data }: Bid) => encoder.encode(`id: ${id}\nevent: bid\ndata: ${JSON.stringify(data)}\n\n`)

export function createApp() {
  const bids: Bid[] = []
  const streams = new Map<number, ReadableStreamDefaultController<Uint8Array>>()
  let latest = 0
  let isOver = false

  const endEvent = () => encoder.encode(`event: end\ndata: ${JSON.stringify({ winner: bids[bids.length - 1]?.bidder ?? null })}\n\n`)
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(endEvent())
    controller.close()
  }

  const app = new Hono()
  app.post('/bids', async (c) => {
    const body = await c.req.json().catch(() => null)
    const [bidder, amount] = [body?.bidder, body?.amount]
    if (typeof bidder !== 'string' || !bidder || !Number.isSafeInteger(amount) || amount <= 0) throw refuse(400, 'malformed')
    if (isOver) throw refuse(410, 'closed')
    if (bids.some((bid) => bid.amount >= amount)) throw refuse(409, 'too low')
    const bid = { id: bids.length + 1, bidder, amount }
    bids.push(bid)
    for (const controller of streams.values()) controller.enqueue(bidEvent(bid))
    return c.json(bid, 201)
  })

  app.post('/close', (c) => {
    isOver = true
    for (const [key, controller] of streams) {
      streams.delete(key)
      finish(controller)
    }
    return c.newResponse(null, 204)
  })

  app.get('/bids/stream', (c) => {
    const last = c.req.header('Last-Event-ID')
    if (last && !/^[0-9]+$/.test(last)) throw refuse(400, 'malformed')
    const begin = last ? Number(last) : Math.max(bids.length - 1, 0)
    const key = ++latest
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const bid of bids.slice(begin)) controller.enqueue(bidEvent(bid))
        if (isOver) finish(controller)
        else streams.set(key, controller)
      },
      cancel() {
        streams.delete(key)
      },
    })
    return c.body(body, 200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  })

  app.get('/stats', (c) => c.json({ listeners: streams.size, bids: bids.length }))
  return app
}
