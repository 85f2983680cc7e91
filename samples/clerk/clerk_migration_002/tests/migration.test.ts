import { beforeEach, expect, test } from 'vitest'
import { apiRequest, callRoute } from '../solution_driver/server'
import { visitPage } from '../solution_driver/server-page'
import { importFile, importRoute } from '../solution_driver/solution'
import { addOrganization, addUser, breakClerkApi } from '../support/clerk-api'
import { type Session, sessionOf } from '../support/session'

const PICTURE = 'https://img.example.test/avatar.png'
const ada = sessionOf('user_ada', { orgRole: 'org:admin' })
const bob = sessionOf('user_bob', { orgRole: 'org:member' })
const team = await importRoute('api/team/route')
const people = await importRoute('api/people/[id]/route')
const { peopleByIds } = await importFile('lib/people')

beforeEach(() => {
  addUser({ id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test', publicMetadata: { plan: 'pro' } })
  addUser({ id: 'user_bob', firstName: 'Bob', lastName: 'Moore', email: 'bob@example.test' })
  addUser({ id: 'user_phone', firstName: 'Grace', lastName: 'Hopper', email: null })
  addOrganization('org_acme', [
    { userId: 'user_bob', role: 'org:member' },
    { userId: 'user_ada', role: 'org:admin' },
  ])
})

function askTeam(session: Session | null): Promise<Response> {
  return callRoute(team.GET, apiRequest('/api/team', { session }))
}

function ask(id: string, session: Session | null = bob): Promise<Response> {
  return callRoute(people.GET, apiRequest(`/api/people/${id}`, { session }), { id })
}

test('people are found by their ids, in that order', async () => {
  expect(await peopleByIds(['user_ada', 'user_unknown', 'user_bob'])).toEqual([
    { id: 'user_ada', name: 'Ada Lovelace', picture: PICTURE },
    { id: 'user_bob', name: 'Bob Moore', picture: PICTURE },
  ])
  expect(await peopleByIds([])).toEqual([])
  expect(await peopleByIds(['user_bob', 'user_ada'])).toMatchObject([{ name: 'Bob Moore' }, { name: 'Ada Lovelace' }])
})

test('more people are found than Clerk lists by default', async () => {
  const ids = Array.from({ length: 25 }, (_, number) => `user_${number}`)
  for (const id of ids) addUser({ id, firstName: 'A', lastName: id, email: null })
  expect((await peopleByIds(ids)).length).toBe(25)
})

test('the team API needs a session and an organisation', async () => {
  const signedOut = await askTeam(null)
  expect([signedOut.status, await signedOut.json()]).toEqual([401, { error: 'Unauthorized' }])
  const alone = await askTeam(sessionOf('user_ada'))
  expect([alone.status, await alone.json()]).toEqual([403, { error: 'No active organisation' }])
})

test('the team API names members and administrators', async () => {
  const response = await askTeam(ada)
  expect(response.status).toBe(200)
  expect((await response.json()).members).toEqual([
    { id: 'user_bob', name: 'Bob Moore', picture: PICTURE, isAdmin: false },
    { id: 'user_ada', name: 'Ada Lovelace', picture: PICTURE, isAdmin: true },
  ])
})

test('only administrators may invite', async () => {
  expect(await (await askTeam(ada)).json()).toMatchObject({ canInvite: true })
  expect(await (await askTeam(bob)).json()).toMatchObject({ canInvite: false })
})

test('all of a large team are listed', async () => {
  const ids = Array.from({ length: 30 }, (_, number) => `user_${number}`)
  for (const id of ids) addUser({ id, firstName: 'A', lastName: id, email: null })
  addOrganization('org_large', ids.map((userId) => ({ userId, role: 'org:member' })))
  const response = await askTeam(sessionOf('user_ada', { orgId: 'org_large', orgRole: 'org:member' }))
  expect((await response.json()).members.length).toBe(30)
})

test('a colleague is shown with name and primary address', async () => {
  const response = await ask('user_ada')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ id: 'user_ada', name: 'Ada Lovelace', email: 'ada@example.test' })
  expect(await (await ask('user_phone')).json()).toEqual({ id: 'user_phone', name: 'Grace Hopper', email: null })
})

test('colleagues are shown to those only who are signed in', async () => {
  const response = await ask('user_ada', null)
  expect([response.status, await response.json()]).toEqual([401, { error: 'Unauthorized' }])
  expect((await ask('user_ada', sessionOf('user_bob', { forged: true }))).status).toBe(401)
})

test('an unknown colleague is a 404, trouble of Clerk a 502', async () => {
  const unknown = await ask('user_unknown')
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'Nobody has this id' }])
  breakClerkApi()
  const broken = await ask('user_ada')
  expect([broken.status, await broken.json()]).toEqual([502, { error: 'Clerk does not answer' }])
})

test('the profile shows name, role and plan', async () => {
  expect(await visitPage('profile', ada)).toMatchObject({ kind: 'done', value: 'Ada Lovelace Administrator Plan: pro' })
  expect(await visitPage('profile', bob)).toMatchObject({ kind: 'done', value: 'Bob Moore Member Plan: free' })
})

test('the profile of somebody without an organisation says so', async () => {
  expect(await visitPage('profile', sessionOf('user_bob'))).toMatchObject({ value: 'Bob Moore No organisation Plan: free' })
})

test('signed-out visitors sign in and come back to the profile with a welcome', async () => {
  const outcome = await visitPage('profile', null)
  expect(outcome).toMatchObject({ kind: 'redirected', location: { pathname: '/sign-in' } })
  const back = outcome.kind === 'redirected' ? outcome.location.searchParams.get('redirect_url') : null
  const { pathname, search } = new URL(back ?? '/nowhere', 'https://app.example.test')
  expect(pathname + search).toBe('/profile?welcome=back')
})
