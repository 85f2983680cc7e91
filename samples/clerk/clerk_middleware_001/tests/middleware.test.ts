import { expect, test } from 'vitest'
import { apiRequest, middlewareRuns, pageRequest, passMiddleware } from '../solution_driver/server'
import { sessionOf } from '../support/session'

const ada = sessionOf('user_ada')

async function visit(path: string, session = null as typeof ada | null) {
  return passMiddleware(pageRequest(path, { session }))
}

function expectSignIn(outcome: Awaited<ReturnType<typeof visit>>) {
  expect(outcome).toMatchObject({ kind: 'redirected', location: { pathname: '/sign-in' } })
}

test('public pages and the health check are open to everybody', async () => {
  for (const path of ['/', '/pricing', '/sign-in', '/sign-in/factor-one']) {
    expect((await visit(path)).kind, path).toBe('done')
  }
  expect((await passMiddleware(apiRequest('/api/health'))).kind).toBe('done')
})

test('signed-out visitors of protected pages are sent to sign-in', async () => {
  for (const path of ['/dashboard', '/dashboard/reports', '/settings', '/settings/profile/photo']) {
    expectSignIn(await visit(path))
  }
})

test('after sign-in visitors come back to the page that they asked for', async () => {
  const outcome = await visit('/dashboard/reports?year=2024')
  expectSignIn(outcome)
  const back = outcome.kind === 'redirected' ? outcome.location.searchParams.get('redirect_url') : null
  const { pathname, search } = new URL(back ?? '/nowhere', 'https://app.example.test')
  expect(pathname + search).toBe('/dashboard/reports?year=2024')
})

test('signed-in visitors reach protected pages and the private API', async () => {
  for (const path of ['/dashboard', '/dashboard/reports', '/settings']) {
    expect((await visit(path, ada)).kind, path).toBe('done')
  }
  expect((await passMiddleware(apiRequest('/api/private/items', { session: ada }))).kind).toBe('done')
})

test('forged and expired sessions do not count', async () => {
  for (const session of [sessionOf('user_ada', { forged: true }), sessionOf('user_ada', { expired: true })]) {
    expect((await visit('/dashboard', session)).kind).toBe('redirected')
    expect((await passMiddleware(apiRequest('/api/private/items', { session }))).kind).not.toBe('done')
  }
})

test('signed-out callers of the private API are refused, not redirected', async () => {
  for (const path of ['/api/private', '/api/private/items', '/api/private/items/1']) {
    const outcome = await passMiddleware(apiRequest(path))
    expect(outcome.kind, path).toBe('refused')
    const status = outcome.kind === 'refused' ? outcome.status : 0
    expect(Math.floor(status / 100), path).toBe(4)
  }
})

test('the administration is for organisation admins only', async () => {
  expectSignIn(await visit('/admin'))
  expect((await visit('/admin', ada)).kind).not.toBe('done')
  expect((await visit('/admin/users', sessionOf('user_ada', { orgRole: 'org:member' }))).kind).not.toBe('done')
  expect((await visit('/admin/users', sessionOf('user_ada', { orgRole: 'org:admin' }))).kind).toBe('done')
})

test('the middleware runs for pages and API, not for static files', async () => {
  for (const path of ['/', '/pricing', '/dashboard/reports', '/api/health', '/api/private/items']) {
    expect(await middlewareRuns(path), path).toBe(true)
  }
  for (const path of ['/_next/static/chunks/main.js', '/logo.svg', '/images/team.png']) {
    expect(await middlewareRuns(path), path).toBe(false)
  }
})
