import { expect, test } from 'vitest'
import { apiRequest, callRoute } from '../solution_driver/server'
import { importRoute } from '../solution_driver/solution'
import { addUser, breakClerkApi, refuseCalls } from '../support/clerk-api'
import { type Session, sessionOf } from '../support/session'

const admin = sessionOf('user_admin', { orgRole: 'org:admin' })
const users = await importRoute('api/admin/users/route')
const newsletter = await importRoute('api/admin/users/addresses/route')

function list(query = '', session: Session | null = admin): Promise<Response> {
  return callRoute(users.GET, apiRequest(`/api/admin/users${query}`, { session }))
}

function addresses(session: Session | null = admin): Promise<Response> {
  return callRoute(newsletter.GET, apiRequest('/api/admin/users/addresses', { session }))
}

/** So many users, each of them created a minute after the one before. */
function addUsers(count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const name = String(number).padStart(4, '0')
    addUser({
      id: `user_${name}`,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: `u${name}@example.test`,
      createdAt: Date.UTC(2024, 0, 1) + number * 60_000,
    })
  }
}

async function idsOf(response: Response): Promise<string[]> {
  return (await response.json()).users.map((user: { id: string }) => user.id)
}

test('without a session both answer 401 in JSON', async () => {
  const response = await list('', null)
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({ error: expect.any(String) })
  expect((await addresses(null)).status).toBe(401)
  expect((await list('', sessionOf('user_admin', { orgRole: 'org:admin', forged: true }))).status).toBe(401)
})

test('without the role both answer 403 in JSON', async () => {
  addUsers(2)
  const response = await list('', sessionOf('user_ada'))
  expect(response.status).toBe(403)
  expect(await response.json()).toEqual({ error: expect.any(String) })
  expect((await list('', sessionOf('user_ada', { orgRole: 'org:member' }))).status).toBe(403)
  expect((await addresses(sessionOf('user_ada', { orgRole: 'org:member' }))).status).toBe(403)
})

test('a user is shown with name, primary address and last activity', async () => {
  addUser({ id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test', lastActiveAt: Date.UTC(2024, 4, 1, 12) })
  const response = await list()
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    users: [{ id: 'user_ada', name: 'Ada Lovelace', email: 'ada@example.test', lastActive: '2024-05-01T12:00:00.000Z' }],
    page: 1,
    pages: 1,
    total: 1,
  })
})

test('what is not known of a user is null or left out', async () => {
  addUser({ id: 'user_1', firstName: null, lastName: 'Moore', email: null, lastActiveAt: null, createdAt: 2 })
  addUser({ id: 'user_2', firstName: null, lastName: null, email: null, lastActiveAt: null, createdAt: 1 })
  expect((await (await list()).json()).users).toEqual([
    { id: 'user_1', name: 'Moore', email: null, lastActive: null },
    { id: 'user_2', name: '', email: null, lastActive: null },
  ])
})

test('without users there are no pages', async () => {
  expect(await (await list()).json()).toEqual({ users: [], page: 1, pages: 0, total: 0 })
})

test('a page has 20 users unless another size is asked for', async () => {
  addUsers(45)
  const body = await (await list()).json()
  expect(body.users.length).toBe(20)
  expect([body.page, body.pages, body.total]).toEqual([1, 3, 45])
  const small = await (await list('?size=7')).json()
  expect(small.users.length).toBe(7)
  expect([small.page, small.pages, small.total]).toEqual([1, 7, 45])
})

test('pages follow each other without gaps, up to the last', async () => {
  addUsers(5)
  expect(await idsOf(await list('?size=2&page=1'))).toEqual(['user_0005', 'user_0004'])
  expect(await idsOf(await list('?size=2&page=2'))).toEqual(['user_0003', 'user_0002'])
  expect(await idsOf(await list('?size=2&page=3'))).toEqual(['user_0001'])
})

test('a page behind the last is empty', async () => {
  addUsers(5)
  const response = await list('?size=5&page=2')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ users: [], page: 2, pages: 1, total: 5 })
})

test('there are three orders', async () => {
  addUser({ id: 'user_1', firstName: 'A', lastName: 'Moore', email: null, createdAt: 1, lastActiveAt: 9 })
  addUser({ id: 'user_2', firstName: 'B', lastName: 'Hopper', email: null, createdAt: 3, lastActiveAt: 7 })
  addUser({ id: 'user_3', firstName: 'C', lastName: 'Lovelace', email: null, createdAt: 2, lastActiveAt: 8 })
  expect(await idsOf(await list('?sort=newest'))).toEqual(['user_2', 'user_3', 'user_1'])
  expect(await idsOf(await list('?sort=active'))).toEqual(['user_1', 'user_3', 'user_2'])
  expect(await idsOf(await list('?sort=name'))).toEqual(['user_2', 'user_3', 'user_1'])
  expect(await idsOf(await list())).toEqual(['user_2', 'user_3', 'user_1'])
})

test('a search leaves those to whom it leads, and counts them', async () => {
  addUsers(30)
  addUser({ id: 'user_grace', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.test' })
  const body = await (await list('?search=hopper')).json()
  expect(body).toMatchObject({ users: [{ id: 'user_grace' }], pages: 1, total: 1 })
  const many = await (await list('?search=user_00&size=10')).json()
  expect([many.users.length, many.pages, many.total]).toEqual([10, 3, 30])
})

test('blanks around a search do not count, and a blank one is none', async () => {
  addUsers(3)
  addUser({ id: 'user_grace', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.test' })
  expect(await (await list('?search=%20hopper%20')).json()).toMatchObject({ total: 1 })
  expect(await (await list('?search=%20%20')).json()).toMatchObject({ total: 4 })
  expect(await (await list('?search=')).json()).toMatchObject({ total: 4 })
})

test('other parameters are answered with 400 in JSON', async () => {
  addUsers(3)
  for (const query of ['page=0', 'page=-1', 'page=1.5', 'page=two', 'page=', 'size=0', 'size=101', 'size=all', 'sort=oldest', 'sort=']) {
    const response = await list(`?${query}`)
    expect(response.status, query).toBe(400)
    expect(await response.json(), query).toEqual({ error: expect.any(String) })
  }
})

test('a page has a hundred users at most', async () => {
  addUsers(101)
  const body = await (await list('?size=100')).json()
  expect([body.users.length, body.pages, body.total]).toEqual([100, 2, 101])
})

test('too many calls of Clerk are answered with 503 and its time to wait', async () => {
  refuseCalls({ status: 429, code: 'too_many_requests', retryAfter: 17 })
  const response = await list()
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('17')
  expect(await response.json()).toEqual({ error: expect.any(String) })
  const second = await addresses()
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '17'])
})

test('where Clerk names no time to wait, there is none', async () => {
  refuseCalls({ status: 429, code: 'too_many_requests' })
  const response = await list()
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBeNull()
})

test('other errors of Clerk are answered with 502', async () => {
  breakClerkApi()
  const response = await list()
  expect(response.status).toBe(502)
  expect(response.headers.get('retry-after')).toBeNull()
  expect(await response.json()).toEqual({ error: expect.any(String) })
  expect((await addresses()).status).toBe(502)
})

test('what Clerk said of its error is kept back', async () => {
  refuseCalls({ status: 401, code: 'secret_key_of_clerk_is_wrong' })
  const response = await list()
  expect(response.status).toBe(502)
  expect(await response.text()).not.toContain('secret_key_of_clerk_is_wrong')
})

test('the newsletter goes to all primary addresses, oldest user first', async () => {
  addUser({ id: 'user_b', firstName: 'B', lastName: null, email: 'b@example.test', createdAt: 2 })
  addUser({ id: 'user_a', firstName: 'A', lastName: null, email: 'a@example.test', createdAt: 3 })
  addUser({ id: 'user_c', firstName: 'C', lastName: null, email: 'c@example.test', createdAt: 1 })
  addUser({ id: 'user_d', firstName: 'D', lastName: null, email: null, createdAt: 0 })
  const response = await addresses()
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ addresses: ['c@example.test', 'b@example.test', 'a@example.test'] })
})

test('the newsletter goes to more users than one answer of Clerk holds', async () => {
  addUsers(1_003)
  const found = (await (await addresses()).json()).addresses
  expect(found.length).toBe(1_003)
  expect([found[0], found[500], found[1_002]]).toEqual(['u0001@example.test', 'u0501@example.test', 'u1003@example.test'])
})

test('the newsletter ends where the last answer of Clerk is full', async () => {
  addUsers(500)
  expect((await (await addresses()).json()).addresses.length).toBe(500)
})
