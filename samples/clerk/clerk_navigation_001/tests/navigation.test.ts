import { beforeEach, expect, test } from 'vitest'
import { visitLinks, visitPage } from '../solution_driver/server-page'
import { addUser, breakClerkApi } from '../support/clerk-api'
import { type Session, sessionOf } from '../support/session'

const ada = sessionOf('user_ada')
const admin = sessionOf('user_ada', { orgRole: 'org:admin' })
const member = sessionOf('user_ada', { orgRole: 'org:member' })
const bookkeeper = sessionOf('user_ada', { orgRole: 'org:bookkeeper', orgPermissions: ['org:billing:manage'] })
const staff = sessionOf('user_ada', { claims: { metadata: { role: 'staff' } } })

beforeEach(() => {
  addUser({ id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test' })
  addUser({ id: 'user_bob', firstName: 'Bob', lastName: null, email: 'bob@example.test' })
  addUser({ id: 'user_cy', firstName: null, lastName: null, email: 'cy@example.test' })
  addUser({ id: 'user_dot', firstName: null, lastName: null, email: null })
})

/** The labels of the links in the workspace, or what became of the visit. */
async function labels(session: Session | null) {
  const outcome = await visitLinks('workspace', session)
  return outcome.kind === 'done' ? outcome.value.map(({ text }) => text) : outcome
}

/** All that the workspace shows. */
async function shown(session: Session | null) {
  const outcome = await visitPage('workspace', session)
  return outcome.kind === 'done' ? outcome.value : outcome
}

test('signed-out visitors see what is for everybody and for them', async () => {
  expect(await visitLinks('workspace', null)).toEqual({
    kind: 'done',
    value: [
      { text: 'Home', href: '/' },
      { text: 'Pricing', href: '/pricing' },
      { text: 'Sign in', href: '/sign-in' },
    ],
  })
})

test('a signed-in user without an organisation sees the projects', async () => {
  expect(await visitLinks('workspace', ada)).toEqual({
    kind: 'done',
    value: [
      { text: 'Home', href: '/' },
      { text: 'Projects', href: '/workspace' },
    ],
  })
})

test('a member sees the team', async () => {
  expect(await visitLinks('workspace', member)).toMatchObject({
    value: [{ text: 'Home' }, { text: 'Projects' }, { text: 'Team', href: '/workspace/team' }],
  })
})

test('an administrator sees the settings, and no billing without the permission', async () => {
  expect(await visitLinks('workspace', admin)).toMatchObject({
    value: [{ text: 'Home' }, { text: 'Projects' }, { text: 'Team' }, { text: 'Settings', href: '/workspace/settings' }],
  })
})

test('a permission shows billing, whatever the role is', async () => {
  expect(await visitLinks('workspace', bookkeeper)).toMatchObject({
    value: [{ text: 'Home' }, { text: 'Projects' }, { text: 'Team' }, { text: 'Billing', href: '/workspace/billing' }],
  })
})

test('staff see the back office', async () => {
  expect(await visitLinks('workspace', staff)).toMatchObject({
    value: [{ text: 'Home' }, { text: 'Projects' }, { text: 'Back office', href: '/staff' }],
  })
})

test('another role in the metadata shows no back office', async () => {
  const session = sessionOf('user_ada', { claims: { metadata: { role: 'customer' } } })
  expect(await labels(session)).toEqual(['Home', 'Projects'])
})

test('being staff of an organisation does not show the back office', async () => {
  expect(await labels(sessionOf('user_ada', { orgRole: 'org:staff' }))).toEqual(['Home', 'Projects', 'Team'])
})

test('a forged session is none', async () => {
  expect(await labels(sessionOf('user_ada', { orgRole: 'org:admin', forged: true }))).toEqual(['Home', 'Pricing', 'Sign in'])
})

test('an administrator is told by name and role', async () => {
  expect(await shown(admin)).toContain('Ada Lovelace (Administrator)')
})

test('a member is told by name and role', async () => {
  expect(await shown(member)).toContain('Ada Lovelace (Member)')
})

test('a role without a name is shown without its prefix', async () => {
  expect(await shown(bookkeeper)).toContain('Ada Lovelace (bookkeeper)')
})

test('without an organisation there is no role', async () => {
  const text = await shown(ada)
  expect(text).toContain('Ada Lovelace')
  expect(text).not.toContain('(')
})

test('a user with half a name is told by that', async () => {
  expect(await shown(sessionOf('user_bob', { orgRole: 'org:member' }))).toContain('Bob (Member)')
})

test('a user without a name is told by the primary address', async () => {
  const text = await shown(sessionOf('user_cy', { orgRole: 'org:member' }))
  expect(text).toContain('cy@example.test (Member)')
  expect(text).not.toContain('old-cy')
})

test('a user without name and address has an account', async () => {
  expect(await shown(sessionOf('user_dot', { orgRole: 'org:admin' }))).toContain('Your account (Administrator)')
})

test('signed-out visitors are nobody', async () => {
  expect(await shown(null)).not.toContain('Your account')
})

test('where Clerk fails the page is shown all the same', async () => {
  breakClerkApi()
  const text = await shown(admin)
  expect(text).toContain('Your account (Administrator)')
  expect(text).toContain('Settings')
})

test.each([['workspace/billing'], ['workspace/settings'], ['staff']])('%s sends signed-out visitors to sign-in', async (route) => {
  expect(await visitPage(route, null)).toMatchObject({ kind: 'redirected', location: { pathname: '/sign-in' } })
})

test.each([
  ['workspace/billing', 'an administrator without the permission', admin],
  ['workspace/billing', 'a user without an organisation', ada],
  ['workspace/settings', 'a member', member],
  ['workspace/settings', 'a bookkeeper', bookkeeper],
  ['staff', 'an administrator', admin],
])('%s is not found by %s', async (route, _, session) => {
  expect(await visitPage(route, session)).toMatchObject({ kind: 'refused', status: 404 })
})

test('billing is shown to those who have the permission', async () => {
  expect(await visitPage('workspace/billing', bookkeeper)).toMatchObject({
    value: expect.stringContaining('Billing of the organisation'),
  })
})

test('settings are shown to administrators', async () => {
  expect(await visitPage('workspace/settings', admin)).toMatchObject({
    value: expect.stringContaining('Settings of the organisation'),
  })
})

test('the back office is shown to staff', async () => {
  expect(await visitPage('staff', staff)).toMatchObject({ value: expect.stringContaining('Back office') })
})
