import { beforeEach, expect, test } from 'vitest'
import { apiRequest, callRoute } from '../solution_driver/server'
import { visitLinks, visitPage } from '../solution_driver/server-page'
import { importRoute } from '../solution_driver/solution'
import { addUser } from '../support/clerk-api'
import { type Session, sessionOf } from '../support/session'
import { visitDocument } from './solution_driver/document'

const ada = sessionOf('user_ada')
const adaAtAcme = sessionOf('user_ada', { orgRole: 'org:member' })
const bobAtAcme = sessionOf('user_bob', { orgRole: 'org:member' })
const eve = sessionOf('user_eve')
const boss = sessionOf('user_boss', { orgRole: 'org:admin' })
const list = await importRoute('api/projects/route')
const one = await importRoute('api/projects/[id]/route')

beforeEach(() => {
  addUser({ id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test' })
  addUser({ id: 'user_zoe', firstName: null, lastName: null, email: 'zoe@example.test' })
})

const projectPage = (id: string, session: Session | null) =>
  visitPage('projects/[id]', session, { path: `/projects/${id}`, params: { id } })

async function read(session: Session | null) {
  const response = await callRoute(list.GET, apiRequest('/api/projects', { session }))
  return { status: response.status, body: await response.json() }
}

async function create(body: string, session: Session | null) {
  const headers = { 'content-type': 'application/json' }
  const response = await callRoute(list.POST, apiRequest('/api/projects', { session, method: 'POST', body, headers }))
  return { status: response.status, body: await response.json(), location: response.headers.get('location') }
}

/** The id of a project that only this test knows. */
async function newProject(session: Session): Promise<string> {
  return (await create('{"title":"For a while"}', session)).body.id
}

async function remove(id: string, session: Session | null) {
  const response = await callRoute(one.DELETE, apiRequest(`/api/projects/${id}`, { session, method: 'DELETE' }), { id })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

/** Where sign-in leads back to. */
function wayBack(outcome: Awaited<ReturnType<typeof visitPage>>): string | null {
  if (outcome.kind !== 'redirected' || outcome.location.pathname !== '/sign-in') return null
  const { pathname, search } = new URL(outcome.location.searchParams.get('redirect_url') ?? '/nowhere', 'https://app.example.test')
  return pathname + search
}

test('the root layout makes a document in which pages can use Clerk', async () => {
  expect(await visitDocument()).toMatchObject({
    kind: 'done',
    value: expect.stringMatching(/<html.*<body.*<p>asked<\/p>.*<\/body><\/html>/s),
  })
})

test('the home page is open to everybody', async () => {
  expect(await visitPage('', null)).toMatchObject({ value: 'Plan together' })
})

test('signed-out visitors of the list sign in, and come back with their query', async () => {
  expect(wayBack(await visitPage('projects', null, { path: '/projects?archived=yes' }))).toBe('/projects?archived=yes')
})

test('signed-out visitors of a project sign in, and come back', async () => {
  expect(wayBack(await projectPage('p1', null))).toBe('/projects/p1')
})

test('the list greets its user by first name', async () => {
  expect(await visitPage('projects', ada)).toMatchObject({ value: expect.stringContaining('Projects of Ada') })
})

test('a user without a name is greeted as well', async () => {
  expect(await visitPage('projects', sessionOf('user_zoe'))).toMatchObject({ value: 'Projects of you Nothing here yet.' })
})

test('the list links personal projects that are not archived', async () => {
  expect(await visitLinks('projects', ada)).toEqual({ kind: 'done', value: [{ text: 'Engine', href: '/projects/p1' }] })
})

test('the query asks for the archived ones', async () => {
  const outcome = await visitLinks('projects', ada, { path: '/projects?archived=yes' })
  expect(outcome).toEqual({ kind: 'done', value: [{ text: 'Punched cards', href: '/projects/p2' }] })
})

test('another value of the query does not', async () => {
  const outcome = await visitLinks('projects', ada, { path: '/projects?archived=no' })
  expect(outcome).toMatchObject({ value: [{ text: 'Engine' }] })
})

test('a list with projects does not say that there are none', async () => {
  expect(await visitPage('projects', ada)).toMatchObject({ value: expect.not.stringContaining('Nothing here yet.') })
})

test('with an active organisation the list shows its projects', async () => {
  expect(await visitLinks('projects', adaAtAcme)).toMatchObject({ value: [{ text: 'Gears' }, { text: 'Canteen garden' }] })
})

test('the owner of a project may remove it', async () => {
  expect(await projectPage('p1', ada)).toMatchObject({ value: 'Engine You may remove this project.' })
})

test('a member sees the project of another one', async () => {
  expect(await projectPage('p3', bobAtAcme)).toMatchObject({ value: 'Gears This project belongs to somebody else.' })
})

test('an administrator may remove the project of another one', async () => {
  expect(await projectPage('p3', boss)).toMatchObject({ value: 'Gears You may remove this project.' })
})

test.each([
  ['p9', 'anybody', ada],
  ['p5', 'a stranger', ada],
  ['p3', 'its owner while the organisation is not active', ada],
])('project %s is not found by %s', async (id, _, session) => {
  expect(await projectPage(id, session)).toMatchObject({ kind: 'refused', status: 404 })
})

test('the API lists all visible projects, the archived ones too', async () => {
  expect(await read(ada)).toEqual({
    status: 200,
    body: {
      projects: [
        { id: 'p1', title: 'Engine', ownerId: 'user_ada', organizationId: null, archived: false },
        { id: 'p2', title: 'Punched cards', ownerId: 'user_ada', organizationId: null, archived: true },
      ],
    },
  })
})

test('the API lists the projects of the active organisation', async () => {
  expect(await read(bobAtAcme)).toMatchObject({ body: { projects: [{ id: 'p3' }, { id: 'p4' }] } })
})

test('the API refuses signed-out callers', async () => {
  const refused = { status: 401, body: { error: 'Sign in first.' } }
  expect(await read(null)).toEqual(refused)
  expect(await create('{"title":"Nobody\'s"}', null)).toMatchObject(refused)
  expect(await remove('p1', null)).toEqual(refused)
})

test('the API refuses a forged session', async () => {
  expect(await read(sessionOf('user_ada', { forged: true }))).toMatchObject({ status: 401 })
})

test('a project is made for its user', async () => {
  const { status, body, location } = await create('{"title":"  Loom ","ownerId":"user_bob"}', eve)
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { title: 'Loom', ownerId: 'user_eve', organizationId: null, archived: false },
  })
  expect(location).toBe(`/projects/${body.id}`)
})

test('a project is made in the active organisation', async () => {
  const session = sessionOf('user_eve', { orgRole: 'org:member', orgId: 'org_eves' })
  expect(await create('{"title":"Loom"}', session)).toMatchObject({ body: { ownerId: 'user_eve', organizationId: 'org_eves' } })
})

test.each([['{"title":"   "}'], ['{}'], ['{"title":7}'], ['null']])('%s has no title', async (body) => {
  expect(await create(body, eve)).toMatchObject({ status: 400, body: { error: 'A project needs a title.' } })
})

test('a body that is not JSON is refused', async () => {
  expect((await create('title=Loom', eve)).status).toBe(400)
})

test('the owner removes a project', async () => {
  const id = await newProject(eve)
  expect(await remove(id, eve)).toEqual({ status: 204, body: null })
  expect(await remove(id, eve)).toMatchObject({ status: 404 })
})

test('an administrator removes the project of a member', async () => {
  const member = sessionOf('user_eve', { orgRole: 'org:member', orgId: 'org_eves' })
  const admin = sessionOf('user_adam', { orgRole: 'org:admin', orgId: 'org_eves' })
  expect(await remove(await newProject(member), admin)).toEqual({ status: 204, body: null })
})

test('a member does not remove the project of another one', async () => {
  expect(await remove('p4', adaAtAcme)).toEqual({
    status: 403,
    body: { error: 'Only its owner or an administrator removes a project.' },
  })
  expect(await projectPage('p4', adaAtAcme)).toMatchObject({ kind: 'done' })
})

test('a project that is not visible can not be removed', async () => {
  expect(await remove('p5', ada)).toEqual({ status: 404, body: { error: 'There is no such project.' } })
})
