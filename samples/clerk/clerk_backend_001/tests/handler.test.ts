import { beforeEach, expect, test } from 'vitest'
import { createHandler } from '../expected/src/handler'
import { answerFirst } from '../support/clerk-api'
import { publicKeyPem, type Session, sessionOf } from '../support/session'

const SHOP = 'https://shop.example.test'
const member = sessionOf('user_ada', { orgRole: 'org:member', orgPermissions: ['org:reports:read'] })
const editor = sessionOf('user_bob', { orgRole: 'org:editor', orgPermissions: ['org:reports:read', 'org:reports:manage'] })
const alone = sessionOf('user_cy')

let removed: string[]
let handler: (request: Request) => Promise<Response>

beforeEach(() => {
  removed = []
  answerFirst(() => {
    throw new TypeError('fetch failed: there is no network')
  })
  handler = createHandler({
    secretKey: `sk_live_${'0123456789'.repeat(4)}`,
    publishableKey: `pk_live_${btoa('clerk.example.test$')}`,
    jwtKey: publicKeyPem(),
    authorizedParties: [SHOP, 'https://admin.example.test'],
    reports: {
      list: async (organizationId) => {
        if (organizationId === 'org_broken') throw new Error('disk of db-7 is full')
        return [{ id: 'r1', title: `Sales of ${organizationId}` }]
      },
      remove: async (organizationId, id) => {
        removed.push(`${organizationId} ${id}`)
        return id === 'r1' || id === 'r 2'
      },
    },
  })
})

async function ask(line: string, session: Session | null = null, headers: Record<string, string> = {}) {
  const [method, path] = line.split(' ')
  const bearer = session ? { authorization: `Bearer ${session.token}` } : {}
  const response = await handler(new Request(`https://api.example.test${path}`, { method, headers: { ...bearer, ...headers } }))
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
}

const refused = { status: 401, body: { error: 'unauthenticated' } }

test('the health check is open to everybody', async () => {
  expect(await ask('GET /health')).toMatchObject({ status: 200, body: { ok: true } })
})

test('a bad token does no harm to the health check', async () => {
  const headers = { authorization: 'Bearer nonsense' }
  expect(await ask('GET /health', null, headers)).toMatchObject({ status: 200, body: { ok: true } })
})

test('a user without an organisation learns who they are', async () => {
  expect(await ask('GET /me', alone)).toMatchObject({
    status: 200,
    body: { userId: 'user_cy', organizationId: null, role: null },
  })
})

test('a member learns the organisation and the role', async () => {
  expect((await ask('GET /me', member)).body).toEqual({
    userId: 'user_ada',
    organizationId: 'org_acme',
    role: 'org:member',
  })
})

test('a token of version 2 tells organisation and role as well', async () => {
  const session = sessionOf('user_dot', { claims: { v: 2, o: { id: 'org_dots', slg: 'dots', rol: 'editor' } } })
  expect((await ask('GET /me', session)).body).toEqual({
    userId: 'user_dot',
    organizationId: 'org_dots',
    role: 'org:editor',
  })
})

test.each([['GET /me'], ['GET /reports'], ['DELETE /reports/r1'], ['GET /nothing-here'], ['POST /me']])(
  '%s is refused without a token',
  async (line) => {
    expect(await ask(line)).toMatchObject({ status: 401, body: { error: 'unauthenticated' } })
  },
)

test('a refusal says how to authenticate', async () => {
  const { headers } = await ask('GET /me')
  expect(headers.get('www-authenticate')).toBe('Bearer')
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
})

test('a forged token is refused', async () => {
  expect(await ask('GET /me', sessionOf('user_ada', { forged: true }))).toMatchObject(refused)
})

test('an expired token is refused', async () => {
  expect(await ask('GET /me', sessionOf('user_ada', { expired: true }))).toMatchObject(refused)
})

test('an expired token is refused in the same way when a browser asks', async () => {
  const headers = { accept: 'text/html,*/*', 'sec-fetch-dest': 'document' }
  expect(await ask('GET /me', sessionOf('user_ada', { expired: true }), headers)).toMatchObject(refused)
})

test.each([['Bearer nonsense'], ['Bearer a.b.c'], ['Bearer'], ['Basic YWRhOmxvdmU=']])('"%s" is refused', async (authorization) => {
  expect(await ask('GET /me', null, { authorization })).toMatchObject(refused)
})

test('a session in cookies does not count', async () => {
  const cookie = `__session=${member.token}; __client_uat=${Number(member.claims.iat) - 60}`
  expect(await ask('GET /me', null, { cookie })).toMatchObject(refused)
})

test('a token of another application is refused', async () => {
  expect(await ask('GET /me', sessionOf('user_ada', { claims: { azp: 'https://evil.example.test' } }))).toMatchObject(refused)
})

test.each([[SHOP], ['https://admin.example.test']])('a token of %s is welcome', async (azp) => {
  expect((await ask('GET /me', sessionOf('user_ada', { claims: { azp } }))).status).toBe(200)
})

test('a pending session is refused', async () => {
  expect(await ask('GET /me', sessionOf('user_ada', { claims: { sts: 'pending' } }))).toMatchObject(refused)
})

test('members list the reports of their organisation', async () => {
  const session = sessionOf('user_ada', { orgRole: 'org:member', orgId: 'org_dots' })
  expect(await ask('GET /reports', session)).toMatchObject({
    status: 200,
    body: { reports: [{ id: 'r1', title: 'Sales of org_dots' }] },
  })
})

test('without an organisation there are no reports', async () => {
  expect(await ask('GET /reports', alone)).toMatchObject({ status: 403, body: { error: 'no-organization' } })
})

test('an editor removes a report', async () => {
  expect(await ask('DELETE /reports/r1', editor)).toMatchObject({ status: 204, body: null })
  expect(removed).toEqual(['org_acme r1'])
})

test('ids in addresses are decoded', async () => {
  expect((await ask('DELETE /reports/r%202', editor)).status).toBe(204)
  expect(removed).toEqual(['org_acme r 2'])
})

test('a report that is not there can not be removed', async () => {
  expect(await ask('DELETE /reports/r9', editor)).toMatchObject({ status: 404, body: { error: 'not-found' } })
})

test('without the permission nothing is removed', async () => {
  expect(await ask('DELETE /reports/r1', member)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect(removed).toEqual([])
})

test('an administrator without the permission removes nothing', async () => {
  const session = sessionOf('user_ada', { orgRole: 'org:admin' })
  expect(await ask('DELETE /reports/r1', session)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect(removed).toEqual([])
})

test('without an organisation nothing is removed', async () => {
  expect(await ask('DELETE /reports/r1', alone)).toMatchObject({ status: 403, body: { error: 'no-organization' } })
  expect(removed).toEqual([])
})

// The bits of fpm say which of the permissions in per the role has, one number for each feature.
const packed = (fpm: string) => ({ v: 2, o: { id: 'org_acme', slg: 'acme', rol: 'editor', per: 'read,manage', fpm }, fea: 'u:chat,o:articles,o:reports' })

test('a permission packed into a token of version 2 counts', async () => {
  const session = sessionOf('user_bob', { claims: packed('1,3') })
  expect((await ask('DELETE /reports/r1', session)).status).toBe(204)
  expect(removed).toEqual(['org_acme r1'])
})

test('the same permission for another feature does not', async () => {
  const session = sessionOf('user_bob', { claims: packed('3,1') })
  expect(await ask('DELETE /reports/r1', session)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect(removed).toEqual([])
})

test.each([['POST /health'], ['DELETE /me'], ['POST /reports'], ['GET /reports/r1']])('%s is not allowed', async (line) => {
  expect(await ask(line, editor)).toMatchObject({ status: 405, body: { error: 'method-not-allowed' } })
})

test.each([['GET /'], ['GET /reports/r1/pages'], ['GET /meadow']])('%s is not found', async (line) => {
  expect(await ask(line, editor)).toMatchObject({ status: 404, body: { error: 'not-found' } })
})

test('a failure of the store tells no reason', async () => {
  const session = sessionOf('user_ada', { orgRole: 'org:member', orgId: 'org_broken' })
  const { status, body } = await ask('GET /reports', session)
  expect({ status, body }).toEqual({ status: 500, body: { error: 'internal' } })
})
