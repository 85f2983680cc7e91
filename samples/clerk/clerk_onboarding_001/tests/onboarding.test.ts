import { beforeEach, expect, test } from 'vitest'
import { actionRequest, apiRequest, pageRequest, passMiddleware, serve } from '../solution_driver/server'
import { importFile, importRoute } from '../solution_driver/solution'
import { addUser, apiWrites, breakClerkApi, storedUser } from '../support/clerk-api'
import { type Session, sessionOf } from '../support/session'

const newcomer = sessionOf('user_ada', { claims: { metadata: { plan: 'trial' } } })
const finished = sessionOf('user_ada', { claims: { metadata: { onboardingComplete: true } } })
const { completeOnboarding } = await importRoute('onboarding/actions')
const { safeNextPath } = await importFile('lib/next-path')

beforeEach(() => {
  addUser({
    id: 'user_ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.test',
    publicMetadata: { plan: 'trial' },
    privateMetadata: { customer: 'cus_1' },
  })
  addUser({ id: 'user_bob', firstName: 'Bob', lastName: 'Moore', email: 'bob@example.test' })
})

function visit(path: string, session: Session | null) {
  return passMiddleware(pageRequest(path, { session }))
}

function call(path: string, session: Session | null) {
  return passMiddleware(apiRequest(path, { session }))
}

/** Where a redirect leads, as path and query; null if there is none. */
async function destination(path: string, session: Session | null): Promise<string | null> {
  const outcome = await visit(path, session)
  return outcome.kind === 'redirected' ? outcome.location.pathname + outcome.location.search : null
}

async function submit(fields: Record<string, string>, session: Session | null = newcomer) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const outcome = await serve(actionRequest('/onboarding', { session }), () => completeOnboarding(form))
  return outcome.kind === 'done' ? outcome.value : outcome
}

test('public pages and the health check are open to everybody, finished or not', async () => {
  for (const session of [null, newcomer, finished]) {
    for (const path of ['/', '/pricing', '/sign-in', '/sign-in/factor-one']) {
      expect((await visit(path, session)).kind, path).toBe('done')
    }
    expect((await call('/api/health', session)).kind).toBe('done')
  }
})

test('signed-out visitors are sent to sign-in and come back', async () => {
  for (const path of ['/dashboard', '/onboarding', '/a-page-of-tomorrow']) {
    expect(await visit(path, null), path).toMatchObject({ kind: 'redirected', location: { pathname: '/sign-in' } })
  }
  const outcome = await visit('/reports?year=2024', null)
  const back = outcome.kind === 'redirected' ? outcome.location.searchParams.get('redirect_url') : null
  expect(new URL(back ?? '/', 'https://app.example.test').href).toBe('https://app.example.test/reports?year=2024')
})

test('signed-out callers of the API are refused', async () => {
  const outcome = await call('/api/reports', null)
  expect(outcome.kind).toBe('refused')
  expect(outcome.kind === 'refused' ? Math.floor(outcome.status / 100) : 0).toBe(4)
})

test('newcomers are sent to onboarding from every page', async () => {
  expect(await destination('/dashboard', newcomer)).toBe('/onboarding?next=%2Fdashboard')
  expect(await destination('/a-page-of-tomorrow', newcomer)).toBe('/onboarding?next=%2Fa-page-of-tomorrow')
})

test('the way to onboarding remembers path and query', async () => {
  const outcome = await visit('/reports?year=2024&sort=name', newcomer)
  const next = outcome.kind === 'redirected' ? outcome.location.searchParams.get('next') : null
  expect(next).toBe('/reports?year=2024&sort=name')
})

test('newcomers reach onboarding itself', async () => {
  expect((await visit('/onboarding', newcomer)).kind).toBe('done')
  expect((await visit('/onboarding?next=%2Freports', newcomer)).kind).toBe('done')
})

test('newcomers hear 403 in JSON from the API', async () => {
  const outcome = await call('/api/reports', newcomer)
  expect(outcome).toMatchObject({ kind: 'refused', status: 403 })
  expect(JSON.parse(outcome.kind === 'refused' ? outcome.body : 'null')).toEqual({ error: 'onboarding required' })
})

test('only true counts as finished', async () => {
  for (const claims of [{}, { metadata: {} }, { metadata: { onboardingComplete: false } }, { metadata: { onboardingComplete: 'false' } }]) {
    expect(await destination('/dashboard', sessionOf('user_ada', { claims }))).toBe('/onboarding?next=%2Fdashboard')
  }
})

test('who has finished may go everywhere', async () => {
  expect((await visit('/dashboard', finished)).kind).toBe('done')
  expect((await visit('/reports?year=2024', finished)).kind).toBe('done')
  expect((await call('/api/reports', finished)).kind).toBe('done')
})

test('who has finished is sent on from onboarding', async () => {
  expect(await destination('/onboarding', finished)).toBe('/dashboard')
  expect(await destination('/onboarding?next=%2Freports', finished)).toBe('/dashboard')
})

test('paths of this site are kept', async () => {
  expect(await safeNextPath('/reports?year=2024')).toBe('/reports?year=2024')
  expect(await safeNextPath('/onboarding-tips')).toBe('/onboarding-tips')
})

test('addresses elsewhere and values that are no path lead to the dashboard', async () => {
  for (const value of ['https://evil.test', '//evil.test/reports', '/\\evil.test', 'reports', '', null, undefined, 7]) {
    expect(await safeNextPath(value), String(value)).toBe('/dashboard')
  }
})

test('a browser would leave the site for a path with a tab or a newline in it', async () => {
  expect(await safeNextPath('/\t/evil.test')).toBe('/dashboard')
  expect(await safeNextPath('/\n/evil.test')).toBe('/dashboard')
})

test('onboarding is no place to go after onboarding', async () => {
  expect(await safeNextPath('/onboarding')).toBe('/dashboard')
  expect(await safeNextPath('/onboarding?next=%2Freports')).toBe('/dashboard')
})

test('finishing saves company, team and phone where they belong', async () => {
  const result = await submit({ company: '  Engines Ltd ', team: ' design ', phone: ' +44 20 123 ', next: '/reports?year=2024' })
  expect(result).toEqual({ ok: true, next: '/reports?year=2024' })
  expect(storedUser('user_ada')?.publicMetadata).toMatchObject({ onboardingComplete: true, company: 'Engines Ltd', team: 'design' })
  expect(storedUser('user_ada')?.privateMetadata).toMatchObject({ phone: '+44 20 123' })
  expect(storedUser('user_bob')?.publicMetadata).toBeUndefined()
})

test('other metadata stays, and the phone number does not become public', async () => {
  await submit({ company: 'Engines Ltd', team: 'sales', phone: '+44 20 123' })
  expect(storedUser('user_ada')?.publicMetadata).toEqual({
    plan: 'trial',
    onboardingComplete: true,
    company: 'Engines Ltd',
    team: 'sales',
  })
  expect(storedUser('user_ada')?.privateMetadata).toEqual({ customer: 'cus_1', phone: '+44 20 123' })
})

test('without a phone number there is none', async () => {
  expect(await submit({ company: 'Engines Ltd', team: 'engineering' })).toEqual({ ok: true, next: '/dashboard' })
  expect(await submit({ company: 'Engines Ltd', team: 'engineering', phone: '  ' })).toEqual({ ok: true, next: '/dashboard' })
  expect(storedUser('user_ada')?.privateMetadata).toEqual({ customer: 'cus_1' })
})

test('a foreign address in the form leads to the dashboard', async () => {
  const result = await submit({ company: 'Engines Ltd', team: 'sales', next: '//evil.test' })
  expect(result).toEqual({ ok: true, next: '/dashboard' })
})

test('every bad field is told, and nothing is saved', async () => {
  const result = await submit({ company: '   ', team: 'pirates', phone: 'call me' })
  expect(result).toEqual({ ok: false, errors: { company: expect.any(String), team: expect.any(String), phone: expect.any(String) } })
  expect(apiWrites()).toEqual([])
})

test('good fields are not told', async () => {
  expect(await submit({ company: 'Engines Ltd' })).toEqual({ ok: false, errors: { team: expect.any(String) } })
  expect(await submit({ team: 'sales' })).toEqual({ ok: false, errors: { company: expect.any(String) } })
  expect(apiWrites()).toEqual([])
})

test('company names and phone numbers may be so long and no longer', async () => {
  expect(await submit({ company: 'c'.repeat(80), team: 'sales', phone: '1'.repeat(20) })).toMatchObject({ ok: true })
  expect(await submit({ company: 'c', team: 'sales', phone: '123456' })).toMatchObject({ ok: true })
  const long = await submit({ company: 'c'.repeat(81), team: 'sales', phone: '1'.repeat(21) })
  expect(long).toEqual({ ok: false, errors: { company: expect.any(String), phone: expect.any(String) } })
  expect(await submit({ company: 'c', team: 'sales', phone: '12345' })).toEqual({ ok: false, errors: { phone: expect.any(String) } })
})

test('the user is that of the session, whatever the form says', async () => {
  await submit({ company: 'Engines Ltd', team: 'sales', userId: 'user_bob', id: 'user_bob' })
  expect(storedUser('user_bob')?.publicMetadata).toBeUndefined()
  expect(storedUser('user_ada')?.publicMetadata).toMatchObject({ onboardingComplete: true })
})

test('without a session nothing is saved', async () => {
  const outcome = await serve(actionRequest('/', { session: null }), () => completeOnboarding(formOf('Engines Ltd', 'sales')))
  expect(outcome).toEqual({ kind: 'done', value: { ok: false, errors: { form: expect.any(String) } } })
  expect(apiWrites()).toEqual([])
})

test('an error of Clerk is told, not thrown', async () => {
  breakClerkApi()
  const result = await submit({ company: 'Engines Ltd', team: 'sales' })
  expect(result).toEqual({ ok: false, errors: { form: expect.any(String) } })
})

function formOf(company: string, team: string): FormData {
  const form = new FormData()
  form.set('company', company)
  form.set('team', team)
  return form
}
