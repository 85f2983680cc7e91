import { beforeEach, expect, test } from 'vitest'
import { invite, inviteAll, pendingInvitations, revoke, revokeBefore } from '../expected/src/invitations'
import { type Organization, pending, startOrganization } from './organization-api'

const DAY = 86_400_000
const FIRST = Date.UTC(2026, 0, 2, 3, 4, 5)
const asMember = { role: 'org:member', by: 'user_boss' }
let organization: Organization

beforeEach(() => {
  organization = startOrganization()
})

const inviteAda = () => invite('org_acme', 'ada@example.test', asMember)
const addresses = () => organization.invited.map(({ email_address }) => email_address)

test('an invitation is sent with role, inviter and term', async () => {
  expect(await invite('org_acme', 'ada@example.test', { role: 'org:admin', by: 'user_boss' })).toBe('orginv_ada@example.test')
  expect(organization.invited).toEqual([
    { email_address: 'ada@example.test', role: 'org:admin', inviter_user_id: 'user_boss', expires_in_days: 14 },
  ])
})

test('addresses are sent without blanks and in lower case', async () => {
  await invite('org_acme', '  Ada@Example.test ', asMember)
  expect(addresses()).toEqual(['ada@example.test'])
})

test.each([
  ['duplicate_record', 400, 'already-invited'],
  ['already_a_member_in_organization', 400, 'already-member'],
  ['form_param_format_invalid', 422, 'bad-address'],
  ['organization_membership_quota_exceeded', 403, 'organization-full'],
  ['organization_invitation_not_pending', 404, 'not-pending'],
  ['resource_not_found', 404, 'not-found'],
])('%s is explained', async (code, status, reason) => {
  organization.refusals['*'] = { status, code }
  await expect(inviteAda()).rejects.toMatchObject({ reason, retryAfter: null })
})

test('a limit tells how long to wait', async () => {
  organization.refusals['*'] = { status: 429, code: 'too_many_requests', headers: { 'retry-after': '30' } }
  await expect(inviteAda()).rejects.toMatchObject({ reason: 'slow-down', retryAfter: 30 })
})

test('a limit that does not tell how long has null', async () => {
  organization.refusals['*'] = { status: 429, code: 'too_many_requests' }
  await expect(inviteAda()).rejects.toMatchObject({ reason: 'slow-down', retryAfter: null })
})

test('other errors of the API are thrown as they are', async () => {
  organization.refusals['*'] = { status: 500, code: 'internal_clerk_error' }
  await expect(inviteAda()).rejects.toMatchObject({ status: 500, errors: [{ code: 'internal_clerk_error' }] })
})

test('all addresses are invited in their order', async () => {
  expect(await inviteAll('org_acme', ['cy@example.test', 'ada@example.test', 'bob@example.test'], asMember)).toEqual({
    invited: ['cy@example.test', 'ada@example.test', 'bob@example.test'],
    skipped: [],
    left: [],
    stopped: null,
  })
  expect(addresses()).toEqual(['cy@example.test', 'ada@example.test', 'bob@example.test'])
})

test('the role and the inviter are the same for all', async () => {
  await inviteAll('org_acme', ['ada@example.test', 'bob@example.test'], { role: 'org:editor', by: 'user_eve' })
  expect(organization.invited.map(({ role, inviter_user_id }) => [role, inviter_user_id])).toEqual([
    ['org:editor', 'user_eve'],
    ['org:editor', 'user_eve'],
  ])
})

test('the same address is invited once, and a blank one not at all', async () => {
  const { invited } = await inviteAll('org_acme', ['Ada@example.test', ' ', 'ada@example.test  ', '', 'bob@example.test'], asMember)
  expect(invited).toEqual(['ada@example.test', 'bob@example.test'])
  expect(addresses()).toEqual(['ada@example.test', 'bob@example.test'])
})

test('addresses that can not be invited are skipped', async () => {
  organization.refusals = {
    'ada@example.test': { status: 400, code: 'duplicate_record' },
    'bob@example.test': { status: 400, code: 'already_a_member_in_organization' },
    nonsense: { status: 422, code: 'form_param_format_invalid' },
  }
  expect(await inviteAll('org_acme', ['ada@example.test', 'bob@example.test', 'nonsense', 'cy@example.test'], asMember)).toEqual({
    invited: ['cy@example.test'],
    skipped: [
      { email: 'ada@example.test', reason: 'already-invited' },
      { email: 'bob@example.test', reason: 'already-member' },
      { email: 'nonsense', reason: 'bad-address' },
    ],
    left: [],
    stopped: null,
  })
})

test('a full organisation stops, and the rest is left', async () => {
  organization.refusals['bob@example.test'] = { status: 403, code: 'organization_membership_quota_exceeded' }
  expect(await inviteAll('org_acme', ['ada@example.test', 'bob@example.test', 'cy@example.test'], asMember)).toEqual({
    invited: ['ada@example.test'],
    skipped: [],
    left: ['bob@example.test', 'cy@example.test'],
    stopped: 'organization-full',
  })
  expect(addresses()).toEqual(['ada@example.test', 'bob@example.test'])
})

test('a limit stops as well', async () => {
  organization.refusals['ada@example.test'] = { status: 429, code: 'too_many_requests' }
  expect(await inviteAll('org_acme', ['ada@example.test', 'bob@example.test'], asMember)).toMatchObject({
    left: ['ada@example.test', 'bob@example.test'],
    stopped: 'slow-down',
  })
})

test('errors of another kind end it', async () => {
  organization.refusals['bob@example.test'] = { status: 500, code: 'internal_clerk_error' }
  const inviting = inviteAll('org_acme', ['ada@example.test', 'bob@example.test', 'cy@example.test'], asMember)
  await expect(inviting).rejects.toMatchObject({ status: 500 })
  expect(addresses()).toEqual(['ada@example.test', 'bob@example.test'])
})

test('pending invitations are told, the oldest first', async () => {
  organization.invitations = [
    pending('orginv_3', 'Cy@example.test', FIRST + DAY, 'org:admin'),
    pending('orginv_2', 'bob@example.test', FIRST + 1, 'org:member', 'accepted'),
    pending('orginv_1', 'ada@example.test', FIRST),
  ]
  expect(await pendingInvitations('org_acme')).toEqual([
    { id: 'orginv_1', email: 'ada@example.test', role: 'org:member', invitedAt: '2026-01-02T03:04:05.000Z' },
    { id: 'orginv_3', email: 'cy@example.test', role: 'org:admin', invitedAt: '2026-01-03T03:04:05.000Z' },
  ])
})

/** 250 pending invitations, one a day: orginv_0 is the oldest. */
function manyInvitations() {
  organization.invitations = Array.from({ length: 250 }, (_, place) => {
    const number = 249 - place
    return pending(`orginv_${number}`, `u${number}@example.test`, FIRST + number * DAY)
  })
}

test('pending invitations on all pages are told', async () => {
  manyInvitations()
  const all = await pendingInvitations('org_acme')
  expect([all.length, all[0].id, all[249].id]).toEqual([250, 'orginv_0', 'orginv_249'])
  expect(organization.pages).toEqual(['0+100', '100+100', '200+100'])
})

test('an unknown organisation has no list', async () => {
  await expect(pendingInvitations('org_none')).rejects.toMatchObject({ reason: 'not-found' })
})

test('an invitation is taken back by its address, on whatever page', async () => {
  manyInvitations()
  expect(await revoke('org_acme', ' U7@Example.test', 'user_boss')).toBe(true)
  expect(organization.revocations).toEqual(['orginv_7 by user_boss'])
})

test('an address may be written otherwise at Clerk', async () => {
  organization.invitations = [pending('orginv_1', 'Ada@Example.test', FIRST)]
  expect(await revoke('org_acme', 'ada@example.test', 'user_boss')).toBe(true)
})

test('without a pending invitation nothing is taken back', async () => {
  organization.invitations = [pending('orginv_1', 'ada@example.test', FIRST, 'org:member', 'accepted')]
  expect(await revoke('org_acme', 'ada@example.test', 'user_boss')).toBe(false)
  expect(organization.revocations).toEqual([])
})

test('an invitation that was accepted meanwhile is not taken back', async () => {
  organization.invitations = [pending('orginv_1', 'ada@example.test', FIRST)]
  organization.refusals.orginv_1 = { status: 404, code: 'organization_invitation_not_pending' }
  expect(await revoke('org_acme', 'ada@example.test', 'user_boss')).toBe(false)
})

test('a refusal to take back is explained', async () => {
  organization.invitations = [pending('orginv_1', 'ada@example.test', FIRST)]
  organization.refusals.orginv_1 = { status: 429, code: 'too_many_requests' }
  await expect(revoke('org_acme', 'ada@example.test', 'user_boss')).rejects.toMatchObject({ reason: 'slow-down' })
})

test('old invitations are taken back, the oldest first', async () => {
  organization.invitations = [
    pending('orginv_4', 'dot@example.test', FIRST + 3 * DAY),
    pending('orginv_3', 'Cy@example.test', FIRST + 2 * DAY),
    pending('orginv_2', 'bob@example.test', FIRST + DAY, 'org:member', 'revoked'),
    pending('orginv_1', 'ada@example.test', FIRST),
  ]
  expect(await revokeBefore('org_acme', new Date(FIRST + 3 * DAY), 'user_boss')).toEqual(['ada@example.test', 'cy@example.test'])
  expect(organization.revocations).toEqual(['orginv_1 by user_boss', 'orginv_3 by user_boss'])
})

test('old invitations on all pages are taken back', async () => {
  manyInvitations()
  const gone = await revokeBefore('org_acme', new Date(FIRST + 150 * DAY), 'user_boss')
  expect([gone.length, gone[0], gone[149]]).toEqual([150, 'u0@example.test', 'u149@example.test'])
  expect(organization.invitations.filter(({ status }) => status === 'pending')).toHaveLength(100)
})

test('one that is no longer pending is passed over', async () => {
  organization.invitations = [
    pending('orginv_2', 'bob@example.test', FIRST + DAY),
    pending('orginv_1', 'ada@example.test', FIRST),
  ]
  organization.refusals.orginv_1 = { status: 404, code: 'organization_invitation_not_pending' }
  expect(await revokeBefore('org_acme', new Date(FIRST + 9 * DAY), 'user_boss')).toEqual(['bob@example.test'])
})
