import { expect, test } from 'vitest'
import { actionRequest, apiRequest, callRoute, serve } from '../solution_driver/server'
import { visitPage } from '../solution_driver/server-page'
import { importFile, importRoute } from '../solution_driver/solution'
import { type Session, sessionOf } from '../support/session'

const READ = 'org:projects:read'
const CREATE = 'org:projects:create'
const ARCHIVE = 'org:projects:archive'

const collection = await importRoute('api/projects/route')
const item = await importRoute('api/projects/[id]/route')
const { archiveProject } = await importRoute('projects/actions')
const { addProject, findProject, projectsOf } = await importFile('lib/projects')

/** A member of an organisation of the test's own, with a role that no code knows by name. */
function member(orgId: string, ...orgPermissions: string[]): Session {
  return sessionOf('user_ada', { orgId, orgRole: 'org:planner', orgPermissions })
}

function admin(orgId: string, ...orgPermissions: string[]): Session {
  return sessionOf('user_ada', { orgId, orgRole: 'org:admin', orgPermissions })
}

function list(session: Session | null): Promise<Response> {
  return callRoute(collection.GET, apiRequest('/api/projects', { session }))
}

function create(body: unknown, session: Session | null): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  return callRoute(collection.POST, apiRequest('/api/projects', { session, method: 'POST', body: text, headers }))
}

function remove(id: string, session: Session | null): Promise<Response> {
  return callRoute(item.DELETE, apiRequest(`/api/projects/${id}`, { session, method: 'DELETE' }), { id })
}

async function archive(id: string, session: Session | null) {
  const outcome = await serve(actionRequest('/projects', { session }), () => archiveProject(id))
  return outcome.kind === 'done' ? outcome.value : outcome
}

/** The id of a new project. */
async function project(orgId: string, name = 'engine', createdBy = 'user_bob'): Promise<string> {
  return (await addProject({ orgId, name, createdBy })).id
}

test('without a valid session the API answers 401 in JSON', async () => {
  const response = await list(null)
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ error: expect.any(String) })
  expect((await create({ name: 'x' }, null)).status).toBe(401)
  expect((await remove('p1', null)).status).toBe(401)
  const forged = sessionOf('user_ada', { orgRole: 'org:admin', orgPermissions: [READ], forged: true })
  expect((await list(forged)).status).toBe(401)
})

test('without an active organisation the API answers 403 in JSON', async () => {
  const response = await list(sessionOf('user_ada'))
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ error: expect.any(String) })
  expect((await create({ name: 'x' }, sessionOf('user_ada'))).status).toBe(403)
  expect((await remove('p1', sessionOf('user_ada'))).status).toBe(403)
})

test('reading takes the permission to read, not a role', async () => {
  expect((await list(member('org_reading', CREATE, ARCHIVE))).status).toBe(403)
  expect((await list(admin('org_reading'))).status).toBe(403)
  expect((await list(member('org_reading', READ))).status).toBe(200)
})

test('the list has the projects of the active organisation, with three keys each', async () => {
  const id = await project('org_list', 'engine')
  await project('org_elsewhere', 'secret plan')
  const response = await list(member('org_list', READ))
  expect(await response.json()).toEqual([{ id, name: 'engine', archived: false }])
})

test('creating takes the permission to create, not a role', async () => {
  expect((await create({ name: 'loom' }, member('org_creating', READ, ARCHIVE))).status).toBe(403)
  expect((await create({ name: 'loom' }, admin('org_creating', READ))).status).toBe(403)
  expect(await projectsOf('org_creating')).toEqual([])
})

test('a created project is answered with 201 and without blanks around its name', async () => {
  const response = await create({ name: '  loom ' }, member('org_new', CREATE))
  expect(response.status).toBe(201)
  const body = await response.json()
  expect(Object.keys(body).sort()).toEqual(['archived', 'id', 'name'])
  expect(body).toMatchObject({ name: 'loom', archived: false })
  expect(await projectsOf('org_new')).toMatchObject([{ name: 'loom' }])
})

test('organisation and creator are those of the session, whatever the body says', async () => {
  await create({ name: 'gift', orgId: 'org_victim', createdBy: 'user_bob' }, member('org_giver', CREATE))
  expect(await projectsOf('org_victim')).toEqual([])
  expect(await projectsOf('org_giver')).toMatchObject([{ name: 'gift', createdBy: 'user_ada' }])
})

test('a bad name is answered with 400 in JSON, and nothing is created', async () => {
  const session = member('org_names', CREATE)
  for (const body of ['not json', 'null', {}, { name: 7 }, { name: '   ' }, { name: 'n'.repeat(61) }]) {
    const response = await create(body, session)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: expect.any(String) })
  }
  expect(await projectsOf('org_names')).toEqual([])
})

test('a name may have 1 and 60 characters', async () => {
  expect((await create({ name: 'n' }, member('org_short', CREATE))).status).toBe(201)
  expect((await create({ name: ` ${'n'.repeat(60)} ` }, member('org_long', CREATE))).status).toBe(201)
})

test('who may not create hears 403 for a bad name, too', async () => {
  expect((await create('not json', member('org_blind', READ))).status).toBe(403)
})

test('admins remove projects for good', async () => {
  const id = await project('org_removal')
  const response = await remove(id, admin('org_removal'))
  expect(response.status).toBe(204)
  expect(await findProject(id)).toBeNull()
})

test('removing is for admins only, whatever permissions others have', async () => {
  const id = await project('org_kept')
  const response = await remove(id, member('org_kept', READ, CREATE, ARCHIVE))
  expect(response.status).toBe(403)
  expect(await findProject(id)).toMatchObject({ name: 'engine' })
})

test('a project of another organisation cannot be removed', async () => {
  const id = await project('org_theirs')
  const response = await remove(id, admin('org_ours'))
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: expect.any(String) })
  expect(await findProject(id)).toMatchObject({ orgId: 'org_theirs' })
  expect((await remove('no-such-project', admin('org_ours'))).status).toBe(404)
})

test('the permission to archive is enough to archive', async () => {
  const id = await project('org_archive')
  expect(await archive(id, member('org_archive', ARCHIVE))).toEqual({ ok: true })
  expect(await findProject(id)).toMatchObject({ archived: true })
})

test('creators archive their own projects while they may create', async () => {
  const own = await project('org_own', 'mine', 'user_ada')
  const other = await project('org_own', 'theirs', 'user_bob')
  expect(await archive(own, member('org_own', READ))).toEqual({ ok: false, reason: 'forbidden' })
  expect(await archive(other, member('org_own', CREATE))).toEqual({ ok: false, reason: 'forbidden' })
  expect(await archive(own, member('org_own', CREATE))).toEqual({ ok: true })
  expect(await findProject(own)).toMatchObject({ archived: true })
  expect(await findProject(other)).toMatchObject({ archived: false })
})

test('the role of an admin is no permission to archive', async () => {
  const id = await project('org_role')
  expect(await archive(id, admin('org_role', READ))).toEqual({ ok: false, reason: 'forbidden' })
  expect(await findProject(id)).toMatchObject({ archived: false })
})

test('a project of another organisation is not found by the action', async () => {
  const id = await project('org_far', 'mine', 'user_ada')
  expect(await archive(id, member('org_near', ARCHIVE, CREATE))).toEqual({ ok: false, reason: 'not-found' })
  expect(await archive(id, sessionOf('user_ada'))).toEqual({ ok: false, reason: 'not-found' })
  expect(await archive('no-such-project', member('org_near', ARCHIVE))).toEqual({ ok: false, reason: 'not-found' })
  expect(await findProject(id)).toMatchObject({ archived: false })
})

test('without a session the action changes nothing', async () => {
  const id = await project('org_anonymous')
  expect(await archive(id, null)).toEqual({ ok: false, reason: 'signed-out' })
  expect(await findProject(id)).toMatchObject({ archived: false })
})

test('signed-out visitors of the page are sent to sign-in', async () => {
  expect(await visitPage('projects', null)).toMatchObject({ kind: 'redirected', location: { pathname: '/sign-in' } })
})

test('the page does not exist for those who may not read', async () => {
  expect(await visitPage('projects', admin('org_page', CREATE))).toMatchObject({ kind: 'refused', status: 404 })
  expect(await visitPage('projects', sessionOf('user_ada'))).toMatchObject({ kind: 'refused', status: 404 })
})

test('the page lists the projects of the active organisation', async () => {
  const done = await project('org_shown', 'first project')
  await project('org_shown', 'second project')
  await project('org_hidden', 'third project')
  await archive(done, member('org_shown', ARCHIVE))
  const outcome = await visitPage('projects', member('org_shown', READ))
  expect(outcome).toMatchObject({ value: expect.stringMatching(/^Projects .*first project \(archived\)( |$)/) })
  expect(outcome).toMatchObject({ value: expect.stringContaining('second project') })
  expect(outcome).toMatchObject({ value: expect.not.stringMatching(/second project \(archived\)|third project/) })
})

test('only those who may create see the link to a new project', async () => {
  expect(await visitPage('projects', member('org_link', READ, CREATE))).toMatchObject({
    value: expect.stringContaining('New project'),
  })
  expect(await visitPage('projects', admin('org_link', READ))).toMatchObject({
    value: expect.not.stringContaining('New project'),
  })
})
