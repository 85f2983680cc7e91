import { Hono } from 'hono'

/**
 * One auction, kept in memory. What is wrong is told as JSON { error }.
 *
 * - POST /bids takes JSON { bidder, amount }: a text that is not empty, and a whole number above 0; else 400 "malformed",
 *   also where it is no JSON. An amount that is not above the highest bid so far: 409 "too low". After the auction's end:
 *   410 "closed". Else 201 with { id, bidder, amount }; ids are counted from 1.
 * - POST /close ends the auction: 204, however often.
 * - GET /bids/stream sends server-sent events (hono/streaming). A bid is the event "bid", its id is the bid's, its data
 *   JSON { bidder, amount }.
 *   It begins with the highest bid so far, if there is one. A client that lost its connection says by the header
 *   last-event-id which bid it had last: then it begins with all bids after that one. No whole number there: 400
 *   "malformed".
 *   Then come new bids as they are made, each once and in order, for every listener.
 *   The auction's end is the event "end" without an id, with the data JSON { winner }, the highest bidder or null; then the
 *   stream is over. Who comes after the end gets what they missed, the event "end", and the end of the stream.
 * - GET /stats: { bids, listeners }, how many bids were made and how many streams are open. A listener who went away
 *   does not count.
 */
export function createApp(): Hono {
  const app = new Hono()

  // Still to come: the routes.

  return app
}
