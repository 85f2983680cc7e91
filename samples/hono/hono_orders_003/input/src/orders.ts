import { Hono } from 'hono'

/**
 * Orders, kept in memory: { id, client, lines: [{ sku, quantity }], state }. Ids are "o1", "o2" and so on. `client` is
 * the name of the client whose key was used. Clients see and change only their own orders; those of others are
 * 404 "not_found" like orders that do not exist.
 *
 * - POST / takes { lines }, a list of 1 to 50 lines. A sku is three capital letters, a dash and four digits
 *   ("MUG-0007"), given once in an order; a quantity is a whole number from 1 to 999. 201 with the order, in the state
 *   "open", and the header location: /v1/orders/ID.
 *   No JSON: 400 "malformed". A body of more than 10 KiB (10,240 bytes): 413 "too_large". Anything else that is wrong,
 *   other keys included: 422 "invalid". Its detail begins with the path of the first thing that is wrong, followed by
 *   a blank or a colon: "lines", "lines.2", "lines.0.sku", "lines.1.quantity", or for a key that should not be there
 *   "lines.0.color" or "color". Lines come in their order; in a line, sku comes before quantity before other keys.
 * - GET /?state=STATE: { orders }, the client's in order of their ids, all or those of one state. An unknown state is 422
 *   "invalid" with a detail that begins with "state".
 * - GET /:id: the order.
 * - POST /:id/ship and POST /:id/cancel: an open order becomes "shipped" or "cancelled": 200 with the order. One that
 *   is not open any more: 409 "not_open".
 */
export function ordersApp(): Hono {
  throw new Error('Not implemented')
}
