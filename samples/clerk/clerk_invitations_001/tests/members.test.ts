import { beforeEach, expect, test } from 'vitest'
import { members, roleCounts } from '../expected/src/members'
import { membership, type Organization, startOrganization } from './organization-api'

let organization: Organization

beforeEach(() => {
  organization = startOrganization()
})

test('members are told with name, address and role', async () => {
  organization.memberships = [membership('user_ada', 'org:admin', 'Ada@example.test', 'Ada', 'Lovelace')]
  expect(await members('org_acme')).toEqual([
    { userId: 'user_ada', name: 'Ada Lovelace', email: 'Ada@example.test', role: 'org:admin' },
  ])
})

test('a name has what there is of it, else it is the address', async () => {
  organization.memberships = [
    membership('user_bob', 'org:member', 'bob@example.test', 'Bob', null),
    membership('user_cy', 'org:member', 'cy@example.test', null, 'Moore'),
    membership('user_dot', 'org:member', 'dot@example.test', null, null),
  ]
  expect((await members('org_acme')).map(({ name }) => name)).toEqual(['Bob', 'Moore', 'dot@example.test'])
})

test('members on all pages are told', async () => {
  organization.memberships = Array.from({ length: 201 }, (_, place) =>
    membership(`user_${place}`, 'org:member', `u${place}@example.test`, 'U', String(place)),
  )
  const all = await members('org_acme')
  expect([all.length, all[10].userId, all[200].userId]).toEqual([201, 'user_10', 'user_200'])
  expect(organization.pages).toEqual(['0+100', '100+100', '200+100'])
})

test('roles are counted', async () => {
  organization.memberships = [
    membership('user_ada', 'org:admin', 'ada@example.test', null, null),
    membership('user_bob', 'org:member', 'bob@example.test', null, null),
    membership('user_cy', 'org:member', 'cy@example.test', null, null),
  ]
  expect(await roleCounts('org_acme')).toEqual({ 'org:admin': 1, 'org:member': 2 })
})

test('an unknown organisation is not found', async () => {
  await expect(members('org_none')).rejects.toMatchObject({ reason: 'not-found' })
})
