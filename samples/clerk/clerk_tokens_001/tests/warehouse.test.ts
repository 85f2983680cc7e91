import { beforeEach, expect, test } from 'vitest'
import { pageRequest, serve } from '../solution_driver/server'
import { importFile } from '../solution_driver/solution'
import { type Session, sessionOf } from '../support/session'
import { json, startWarehouse, status, type Warehouse } from './warehouse-api'

process.env.WAREHOUSE_URL = 'https://warehouse.example.test/v2'

const ada = sessionOf('user_ada')
const bob = sessionOf('user_bob')
const { findItem, reserve } = await importFile('lib/warehouse')
const nut = { sku: 'nut', name: 'Hex nut', amount: 40 }
let warehouse: Warehouse

beforeEach(() => {
  warehouse = startWarehouse()
})

/** What a call gives within a request of that session's, or the fault that it throws. */
async function within(session: Session | null, call: () => Promise<unknown>): Promise<unknown> {
  try {
    const outcome = await serve(pageRequest('/stock', { session }), call)
    return outcome.kind === 'done' ? outcome.value : outcome
  } catch (error) {
    return { fault: (error as { fault?: unknown }).fault ?? String(error) }
  }
}

// Calls are awaited here: apart from the solution, a failure that is only handed on would count as unhandled.
const find = (sku: string, session: Session | null = ada) => within(session, async () => await findItem(sku))
const order = (session: Session | null = ada) => within(session, async () => await reserve('nut', 3))
const lines = () => warehouse.sent.map(({ line }) => line)
const tokens = () => warehouse.sent.map(({ authorization }) => authorization)

test('an item is found at the warehouse', async () => {
  warehouse.answers = [json(nut)]
  expect(await find('nut')).toEqual({ sku: 'nut', name: 'Hex nut', amount: 40 })
  expect(lines()).toEqual(['GET https://warehouse.example.test/v2/items/nut'])
})

test('the token is made of the session by the template', async () => {
  warehouse.answers = [json(nut)]
  await find('nut')
  expect(warehouse.tokenRequests).toEqual(['sess_ada warehouse'])
  expect(tokens()).toEqual(['Bearer token-1-of-sess_ada-for-warehouse'])
})

test('each call has a token of its own user', async () => {
  warehouse.answers = [json(nut)]
  await find('nut', ada)
  await find('nut', bob)
  await find('nut', ada)
  expect(tokens()).toEqual([
    'Bearer token-1-of-sess_ada-for-warehouse',
    'Bearer token-2-of-sess_bob-for-warehouse',
    'Bearer token-3-of-sess_ada-for-warehouse',
  ])
})

test('a sku may hold any characters', async () => {
  warehouse.answers = [json(nut)]
  await find('bolt/8 mm?')
  expect(lines()).toEqual(['GET https://warehouse.example.test/v2/items/bolt%2F8%20mm%3F'])
})

test('an item that the warehouse does not know is null', async () => {
  warehouse.answers = [status(404)]
  expect(await find('wand')).toBeNull()
})

test('without a session nobody is asked', async () => {
  warehouse.answers = [json(nut)]
  expect(await find('nut', null)).toEqual({ fault: 'signed-out' })
  expect([warehouse.tokenRequests, lines()]).toEqual([[], []])
})

test('a forged session asks nobody', async () => {
  warehouse.answers = [json(nut)]
  expect(await find('nut', sessionOf('user_ada', { forged: true }))).toEqual({ fault: 'signed-out' })
  expect([warehouse.tokenRequests, lines()]).toEqual([[], []])
})

test('an error of Clerk is told, and the warehouse is not asked', async () => {
  warehouse.answers = [json(nut)]
  warehouse.insteadOfToken = () => Response.json({ errors: [{ code: 'resource_not_found', message: 'not found' }] }, { status: 404 })
  expect(await find('nut')).toEqual({ fault: 'token' })
  expect(lines()).toEqual([])
})

test('a token that is missing in the answer of Clerk is told', async () => {
  warehouse.answers = [json(nut)]
  warehouse.insteadOfToken = json({ object: 'token', jwt: null })
  expect(await find('nut')).toEqual({ fault: 'token' })
  expect(lines()).toEqual([])
})

test('an expired token is replaced once', async () => {
  warehouse.answers = [status(401), json(nut)]
  expect(await find('nut')).toMatchObject({ name: 'Hex nut' })
  expect(tokens()).toEqual(['Bearer token-1-of-sess_ada-for-warehouse', 'Bearer token-2-of-sess_ada-for-warehouse'])
})

test('a second 401 is a refusal', async () => {
  warehouse.answers = [status(401)]
  expect(await find('nut')).toEqual({ fault: 'refused' })
  expect(lines()).toHaveLength(2)
})

test('a 403 is a refusal at once', async () => {
  warehouse.answers = [status(403)]
  expect(await find('nut')).toEqual({ fault: 'refused' })
  expect(lines()).toHaveLength(1)
})

test.each([[400], [409], [429], [500], [503]])('status %i means that the warehouse is unavailable', async (code) => {
  warehouse.answers = [status(code)]
  expect(await find('nut')).toEqual({ fault: 'unavailable' })
})

test('without a connection the warehouse is unavailable', async () => {
  warehouse.answers = [
    () => {
      throw new TypeError('fetch failed')
    },
  ]
  expect(await find('nut')).toEqual({ fault: 'unavailable' })
  expect(await order()).toEqual({ fault: 'unavailable' })
})

test('an answer that is not JSON means that the warehouse is unavailable', async () => {
  warehouse.answers = [() => new Response('<h1>Maintenance</h1>', { headers: { 'content-type': 'text/html' } })]
  expect(await find('nut')).toEqual({ fault: 'unavailable' })
  expect(await order()).toEqual({ fault: 'unavailable' })
})

test('a reservation is sent as JSON and gives its id', async () => {
  warehouse.answers = [json({ id: 'res_7' }, 201)]
  expect(await order()).toBe('res_7')
  expect(warehouse.sent).toMatchObject([
    {
      line: 'POST https://warehouse.example.test/v2/reservations',
      authorization: 'Bearer token-1-of-sess_ada-for-warehouse',
      body: { sku: 'nut', amount: 3 },
    },
  ])
  expect(warehouse.sent[0].type).toMatch(/^application\/json\b/)
})

test('a reservation is sent again, whole, with a new token', async () => {
  warehouse.answers = [status(401), json({ id: 'res_8' }, 201)]
  expect(await order()).toBe('res_8')
  expect(warehouse.sent.map(({ body }) => body)).toEqual([
    { sku: 'nut', amount: 3 },
    { sku: 'nut', amount: 3 },
  ])
  expect(tokens()[1]).toBe('Bearer token-2-of-sess_ada-for-warehouse')
})

test('a reservation of an unknown item is told', async () => {
  warehouse.answers = [status(404)]
  expect(await order()).toEqual({ fault: 'unknown-item' })
})

test('a reservation of too many is told', async () => {
  warehouse.answers = [status(409)]
  expect(await order()).toEqual({ fault: 'sold-out' })
})

test('a reservation without a session asks nobody', async () => {
  warehouse.answers = [json({ id: 'res_9' }, 201)]
  expect(await order(null)).toEqual({ fault: 'signed-out' })
  expect(lines()).toEqual([])
})
