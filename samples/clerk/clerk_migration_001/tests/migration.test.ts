import { beforeEach, expect, test } from 'vitest'
import { addUser } from '../support/clerk-api'
import { actionRequest, apiRequest, callRoute, middlewareRuns, pageRequest, passMiddleware, serve } from '../solution_driver/server'
import { visitPage } from '../solution_driver/server-page'
import { sessionOf } from '../support/session'
import { importFile, importRoute } from '../solution_driver/solution'

const ada = sessionOf('user_ada')

beforeEach(() => {
  addUser({ id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test' })
  addUser({ id: 'user_bob', firstName: 'Bob', lastName: 'Moore', email: 'bob@example.test' })
})

test('public routes stay open to everybody', async () => {
  for (const path of ['/', '/pricing', '/sign-in', '/sign-in/factor-one']) {
    expect((await passMiddleware(pageRequest(path))).kind, path).toBe('done')
  }
  const webhook = apiRequest('/api/webhooks/shop', { method: 'POST', body: '{}' })
  expect((await passMiddleware(webhook)).kind).toBe('done')
})

test('every other page still sends signed-out visitors to sign-in', async () => {
  for (const path of ['/dashboard', '/reports', '/reports/2024', '/pricing/internal', '/a-page-of-tomorrow']) {
    const outcome = await passMiddleware(pageRequest(path))
    expect(outcome, path).toMatchObject({ kind: 'redirected', location: { pathname: '/sign-in' } })
  }
})

test('every other API route still refuses signed-out callers', async () => {
  for (const path of ['/api/orders', '/api/orders/o1', '/api/an-endpoint-of-tomorrow']) {
    expect((await passMiddleware(apiRequest(path))).kind, path).not.toBe('done')
  }
})

test('the middleware still runs for pages and API but not for static files', async () => {
  for (const path of ['/', '/dashboard', '/api/orders']) expect(await middlewareRuns(path), path).toBe(true)
  for (const path of ['/_next/static/main.js', '/logo.svg']) expect(await middlewareRuns(path), path).toBe(false)
})

test('the dashboard names its user and lists that user\'s orders', async () => {
  const outcome = await visitPage('dashboard', ada)
  expect(outcome).toMatchObject({ kind: 'done', value: expect.stringContaining('Orders of Ada Lovelace') })
  expect(outcome).toMatchObject({ value: expect.stringMatching(/Punched cards.*Brass gears/) })
  expect(outcome).toMatchObject({ value: expect.not.stringContaining('Garden gloves') })
})

test('the orders API answers for the session', async () => {
  const { GET } = await importRoute('api/orders/route')
  const response = await callRoute(GET, apiRequest('/api/orders', { session: sessionOf('user_bob') }))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ sessionId: 'sess_bob', orders: [{ id: 'o3', userId: 'user_bob' }] })
})

test('display names of other users can be looked up', async () => {
  const { displayName } = await importFile('lib/display-name')
  expect(await displayName('user_bob')).toBe('Bob Moore')
})

test('users cancel their own orders only, and nobody does without a session', async () => {
  const { cancelOrder } = await importRoute('dashboard/actions')
  const { findOrder } = await importFile('lib/orders')
  const cancel = (id: string, session: typeof ada | null) =>
    serve(actionRequest('/dashboard', { session }), () => cancelOrder(id))

  expect((await cancel('o2', null)).kind).not.toBe('done')
  expect(await cancel('o3', ada)).toEqual({ kind: 'done', value: false })
  expect(await cancel('o1', ada)).toEqual({ kind: 'done', value: true })
  const states = await Promise.all(['o1', 'o2', 'o3'].map(async (id) => (await findOrder(id)).cancelled))
  expect(states).toEqual([true, false, false])
})
