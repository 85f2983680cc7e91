import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../expected/src/app'
import { cookiesOf, session } from './browser'

const SECRET = 'secret of the tests'
const NOW = 1_800_000_000
let checks: string[][]
let isBroken: boolean

beforeEach(() => {
  checks = []
  isBroken = false
})

async function isPassword(user: string, password: string): Promise<boolean> {
  checks.push([user, password])
  if (isBroken) throw new Error('the directory at ldap.internal is down')
  return password === `${user}'s password`
}

function ask(method: string, path: string, { body, cookie, now = NOW }: { body?: unknown; cookie?: string; now?: number } = {}) {
  const app = createApp({ secret: SECRET, isPassword, now: () => now * 1000 })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...(cookie !== undefined && { cookie }) }
  return app.request(path, { method, headers, body: text })
}

async function told(asked: Response | Promise<Response>): Promise<[number, unknown]> {
  const response = await asked
  return [response.status, await response.json()]
}

const login = (user: string, password = `${user}'s password`) => ask('POST', '/login', { body: { user, password } })
const ada = (left = 1000) => session(`ada:${NOW + left}`, SECRET)
const attributes = ['httponly', 'max-age=1800', 'path=/', 'samesite=lax', 'secure']

test('a login begins a session', async () => {
  const response = await login('ada')
  const cookies = cookiesOf(response)
  expect(await told(response)).toEqual([200, { user: 'ada' }])
  expect(cookies.session.attributes).toEqual(attributes)
  expect(`session=${encodeURIComponent(cookies.session.value)}`).toBe(session(`ada:${NOW + 1800}`, SECRET))
})

test('the session opens the account', async () => {
  const { session: cookie } = cookiesOf(await login('bob'))
  const answer = ask('GET', '/account/me', { cookie: `theme=dark; session=${encodeURIComponent(cookie.value)}` })
  expect(await told(answer)).toEqual([200, { user: 'bob' }])
})

test('a wrong password begins none', async () => {
  const response = await login('ada', 'guess')
  expect(cookiesOf(response)).toEqual({})
  expect(await told(response)).toEqual([401, { error: 'wrong password' }])
})

test.each([
  ['no JSON', 'user=ada'],
  ['null', 'null'],
  ['a list', []],
  ['no password', { user: 'ada' }],
  ['an empty user', { user: '', password: 'x' }],
  ['a number for a user', { user: 7, password: 'x' }],
  ['a colon in the user', { user: 'ada:9999999999', password: 'x' }],
])('a malformed login is refused: %s', async (_, body) => {
  expect(await told(ask('POST', '/login', { body }))).toEqual([400, { error: 'malformed' }])
  expect(checks).toEqual([])
})

test('a logout deletes the session', async () => {
  const response = await ask('POST', '/logout', { cookie: ada() })
  expect([response.status, await response.text()]).toEqual([204, ''])
  const { value, attributes: how } = cookiesOf(response).session
  expect([value, how.includes('path=/'), how.includes('max-age=0')]).toEqual(['', true, true])
})

test.each([
  ['none', undefined],
  ['expired', session(`ada:${NOW}`, SECRET)],
  ['signed by another', session(`ada:${NOW + 1000}`, 'another secret')],
  ['changed', ada().replace('ada', 'bob')],
  ['not signed', `session=ada%3A${NOW + 1000}`],
  ['without an expiry', session('ada', SECRET)],
])('no good session: %s', async (_, cookie) => {
  expect(await told(ask('GET', '/account/me', { cookie }))).toEqual([401, { error: 'login required' }])
})

test('a session is good to its last second', async () => {
  expect(await told(ask('GET', '/account/me', { cookie: ada(1) }))).toEqual([200, { user: 'ada' }])
})

test('everything below the account is closed', async () => {
  const answers = [ask('PUT', '/account/theme', { body: { theme: 'dark' } }), ask('GET', '/account/nothing'), ask('DELETE', '/account/me')]
  for (const answer of answers) expect(await told(answer)).toEqual([401, { error: 'login required' }])
})

test('a theme is kept in a cookie that scripts may read', async () => {
  const response = await ask('PUT', '/account/theme', { body: { theme: 'dark' }, cookie: ada() })
  expect(cookiesOf(response)).toEqual({ theme: { value: 'dark', attributes: ['max-age=31536000', 'path=/', 'samesite=lax'] } })
  expect(await told(response)).toEqual([200, { theme: 'dark' }])
  expect(cookiesOf(await ask('PUT', '/account/theme', { body: { theme: 'light' }, cookie: ada() })).theme.value).toBe('light')
})

test('another theme is malformed', async () => {
  for (const body of [{ theme: 'pink' }, {}, 'dark', 'null']) {
    expect(await told(ask('PUT', '/account/theme', { body, cookie: ada() }))).toEqual([400, { error: 'malformed' }])
  }
})

test('a session that ends soon is renewed', async () => {
  const response = await ask('GET', '/account/me', { cookie: ada(599) })
  const { value, attributes: how } = cookiesOf(response).session
  expect(value.startsWith(`ada:${NOW + 1800}.`)).toBe(true)
  expect(how).toEqual(attributes)
})

test('a session is renewed with any answer below the account', async () => {
  const theme = await ask('PUT', '/account/theme', { body: { theme: 'dark' }, cookie: ada(30) })
  const nothing = await ask('GET', '/account/nothing', { cookie: ada(30) })
  expect([Object.keys(cookiesOf(theme)).sort(), nothing.status, Object.keys(cookiesOf(nothing))]).toEqual([['session', 'theme'], 404, ['session']])
})

test('a session that lasts is left alone', async () => {
  expect(cookiesOf(await ask('GET', '/account/me', { cookie: ada(600) }))).toEqual({})
})

test('the front page is for everybody', async () => {
  expect(await told(ask('GET', '/'))).toEqual([200, { user: null, theme: 'light' }])
  expect(await told(ask('GET', '/', { cookie: `theme=dark; ${ada()}` }))).toEqual([200, { user: 'ada', theme: 'dark' }])
  expect(await told(ask('GET', '/', { cookie: `theme=pink; ${session(`ada:${NOW - 5}`, SECRET)}` }))).toEqual([200, { user: null, theme: 'light' }])
})

test('the front page renews nothing', async () => {
  expect(cookiesOf(await ask('GET', '/', { cookie: ada(30) }))).toEqual({})
})

test('anything else is not found', async () => {
  for (const path of ['/login', '/nothing']) expect(await told(ask('GET', path))).toEqual([404, { error: 'not found' }])
})

test('what goes wrong inside is not told', async () => {
  isBroken = true
  expect(await told(login('ada'))).toEqual([500, { error: 'internal error' }])
})
