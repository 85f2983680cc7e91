/**
 * Our warehouse's API, called on behalf of the signed-in user: from server components, server
 * actions and route handlers. Its address is in the environment variable WAREHOUSE_URL, such as
 * https://warehouse.example.test/v2, without a slash at its end.
 *
 * Each request has the header "Authorization: Bearer <token>", where the token is one that Clerk
 * makes of the current session by the JWT template "warehouse". Clerk's ordinary session token is
 * refused there. A token is for one call of these functions only: the next one may come from
 * another user, or after the token has expired.
 *
 * What goes wrong is thrown as a WarehouseError. Its fault says what it was:
 *   signed-out   nobody is signed in; nothing is sent to Clerk or the warehouse
 *   token        Clerk gives no token; nothing is sent to the warehouse
 *   refused      the warehouse answers 403, or 401 twice. At the first 401 the token may just have
 *                expired: the request is sent once more, with a new token
 *   unavailable  anything else that the functions below don't speak of: other statuses, no
 *                connection, or an answer to a success that isn't JSON
 */
export type Fault = 'signed-out' | 'token' | 'refused' | 'unavailable' | 'unknown-item' | 'sold-out'

export class WarehouseError extends Error {
  readonly fault: Fault

  constructor(fault: Fault, options?: ErrorOptions) {
    super(`The warehouse can't be asked: ${fault}.`, options)
    this.name = 'WarehouseError'
    this.fault = fault
  }
}

export interface Item {
  sku: string
  name: string
  amount: number
}

// TODO: GET /items/<sku>, answered with an Item as JSON. 404 gives null.
// A sku may hold any characters: "bolt/8 mm" is one.
export async function findItem(sku: string): Promise<Item | null> {
  throw new Error('Not implemented')
}

// TODO: POST /reservations with the JSON body { "sku": string, "amount": number }, answered with
// { "id": string }; gives that id. 404 has the fault "unknown-item", 409 the fault "sold-out".
export async function reserve(sku: string, amount: number): Promise<string> {
  throw new Error('Not implemented')
}
