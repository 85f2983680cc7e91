import { beforeEach, expect, test } from 'vitest'
import { addUser, apiWrites, breakClerkApi, storedUser } from '../support/clerk-api'
import { apiRequest, callRoute } from '../solution_driver/server'
import { type Session, sessionOf } from '../support/session'
import { importRoute } from '../solution_driver/solution'

const ada = sessionOf('user_ada')
const route = await importRoute('api/me/route')

beforeEach(() => {
  addUser({
    id: 'user_ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.test',
    publicMetadata: { nickname: 'countess', plan: 'pro' },
    privateMetadata: { stripeCustomer: 'cus_secret' },
  })
  addUser({ id: 'user_bob', firstName: 'Bob', lastName: 'Moore', email: 'bob@example.test' })
})

function read(session: Session | null) {
  return callRoute(route.GET, apiRequest('/api/me', { session }))
}

function change(body: unknown, session: Session | null) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  return callRoute(route.PATCH, apiRequest('/api/me', { session, method: 'PATCH', body: text, headers }))
}

async function expectError(response: Response, status: number) {
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: expect.any(String) })
}

test('reading without a valid session is answered with 401 in JSON', async () => {
  await expectError(await read(null), 401)
  await expectError(await read(sessionOf('user_ada', { forged: true })), 401)
})

test('the signed-in user reads exactly the agreed fields', async () => {
  const response = await read(ada)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    id: 'user_ada',
    email: 'ada@example.test',
    firstName: 'Ada',
    lastName: 'Lovelace',
    nickname: 'countess',
  })
})

test('a user without a nickname reads null', async () => {
  const response = await read(sessionOf('user_bob'))
  expect(await response.json()).toMatchObject({ id: 'user_bob', email: 'bob@example.test', nickname: null })
})

test('changing without a session is answered with 401 and changes nothing', async () => {
  await expectError(await change({ nickname: 'intruder' }, null), 401)
  expect(apiWrites()).toEqual([])
})

test('a bad body is answered with 400 and changes nothing', async () => {
  for (const body of ['not json', 'null', {}, { nickname: '' }, { nickname: '   ' }, { nickname: 7 }, { nickname: 'n'.repeat(31) }]) {
    await expectError(await change(body, ada), 400)
  }
  expect(apiWrites()).toEqual([])
})

test('the nickname is saved without blanks at its ends and returned', async () => {
  const response = await change({ nickname: '  enchantress ' }, ada)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ nickname: 'enchantress' })
  expect(storedUser('user_ada')?.publicMetadata?.nickname).toBe('enchantress')
  expect(storedUser('user_bob')?.publicMetadata?.nickname).toBeUndefined()
})

test('other public metadata survives', async () => {
  await change({ nickname: 'enchantress' }, ada)
  expect(storedUser('user_ada')?.publicMetadata).toEqual({ nickname: 'enchantress', plan: 'pro' })
})

test('a failure of Clerk is answered with 502 in JSON', async () => {
  breakClerkApi()
  await expectError(await read(ada), 502)
  await expectError(await change({ nickname: 'enchantress' }, ada), 502)
})
