// Wrong: who comes later waits for ever.
import { Hono } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { Auction, type Bid } from './auction.js'

/** One auction, kept in memory. */
export function createApp(): Hono {
  const app = new Hono()
  const auction = new Auction()

  app.post('/bids', async (c) => {
    const { bidder, amount } = await c.req.json().then(Object, () => ({}))
    if (typeof bidder !== 'string' || bidder === '' || !Number.isInteger(amount) || amount < 1) return c.json({ error: 'malformed' }, 400)
    if (auction.isClosed) return c.json({ error: 'closed' }, 410)
    if (amount <= (auction.highest?.amount ?? 0)) return c.json({ error: 'too low' }, 409)
    return c.json(auction.add(bidder, amount), 201)
  })

  app.post('/close', (c) => {
    if (!auction.isClosed) auction.close()
    return c.body(null, 204)
  })

  app.get('/bids/stream', (c) => {
    const last = c.req.header('last-event-id')
    if (last !== undefined && !/^\d+$/.test(last)) return c.json({ error: 'malformed' }, 400)
    const missed = last === undefined ? auction.bids.slice(-1) : auction.bids.filter(({ id }) => id > Number(last))
    return streamSSE(c, (stream) => follow(auction, missed, stream))
  })

  app.get('/stats', (c) => c.json({ bids: auction.bids.length, listeners: auction.listeners.size }))
  return app
}

/** Sends what was missed, and then what comes, until the auction is over or the listener gone. */
async function follow(auction: Auction, missed: Bid[], stream: SSEStreamingApi): Promise<void> {
  await new Promise<void>((leave) => {
    const listener = (bid: Bid | null) => {
      if (bid !== null) return void stream.writeSSE(bidEvent(bid))
      auction.listeners.delete(listener)
      stream.writeSSE({ event: 'end', data: JSON.stringify({ winner: auction.highest?.bidder ?? null }) }).then(leave)
    }
    stream.onAbort(() => {
      auction.listeners.delete(listener)
      leave()
    })
    auction.listeners.add(listener)
    for (const bid of missed) listener(bid)
  })
}

function bidEvent({ id, bidder, amount }: Bid) {
  return { event: 'bid', id: String(id), data: JSON.stringify({ bidder, amount }) }
}
