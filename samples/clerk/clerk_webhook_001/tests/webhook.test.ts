import { beforeEach, expect, test } from 'vitest'
import { apiRequest, callRoute, passMiddleware } from '../solution_driver/server'
import { importFile, importRoute } from '../solution_driver/solution'
import { sessionOf } from '../support/session'
import { type Delivery, deliveryOf } from '../support/webhook'

const { POST } = await importRoute('api/webhooks/clerk/route')
const { findUser } = await importFile('lib/user-store')
const { sentMails, setDown } = await importFile('lib/mailer')
const route = '/api/webhooks/clerk'

beforeEach(() => {
  setDown(false)
})

interface Person {
  id: string
  email?: string
  first?: string | null
  last?: string | null
  at?: number
}

function event(type: string, { id, email, first = null, last = null, at = 1000 }: Person) {
  // The primary address comes second on purpose: taking the first one is a mistake.
  const addresses = [{ id: 'idn_old', email_address: `old-${email}` }, { id: 'idn_now', email_address: email }]
  return {
    object: 'event',
    type,
    data: {
      object: 'user',
      id,
      first_name: first,
      last_name: last,
      primary_email_address_id: email ? 'idn_now' : null,
      email_addresses: email ? addresses : [],
      created_at: 1000,
      updated_at: at,
    },
  }
}

function deletion(id: string) {
  return { object: 'event', type: 'user.deleted', data: { object: 'user', id, deleted: true } }
}

function post({ body, headers }: Delivery): Promise<Response> {
  return callRoute(POST, apiRequest(route, { method: 'POST', body, headers }))
}

/** Sends an event as a delivery of its own. */
let deliveries = 0
function send(content: object): Promise<Response> {
  deliveries += 1
  return post(deliveryOf(content, { id: `msg_${deliveries}` }))
}

async function mailsTo(address: string): Promise<number> {
  return (await sentMails()).filter((mail: { to: string }) => mail.to === address).length
}

test('a new user is stored with primary address, name and time', async () => {
  const response = await send(event('user.created', { id: 'user_ada', email: 'ada@example.test', first: 'Ada', last: 'Lovelace' }))
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ received: true })
  expect(await findUser('user_ada')).toEqual({
    id: 'user_ada',
    email: 'ada@example.test',
    name: 'Ada Lovelace',
    updatedAt: 1000,
  })
})

test('parts of a name may be missing', async () => {
  await send(event('user.created', { id: 'user_first', first: 'Grace' }))
  await send(event('user.created', { id: 'user_last', last: 'Hopper', first: '' }))
  await send(event('user.created', { id: 'user_none' }))
  expect((await findUser('user_first')).name).toBe('Grace')
  expect((await findUser('user_last')).name).toBe('Hopper')
  expect((await findUser('user_none')).name).toBe('')
})

test('a user without an address is stored with null and gets no mail', async () => {
  const before = (await sentMails()).length
  const response = await send(event('user.created', { id: 'user_phone', first: 'Bob' }))
  expect(response.status).toBe(200)
  expect((await findUser('user_phone')).email).toBeNull()
  expect((await sentMails()).length - before).toBe(0)
})

test('what the signature was made for is the body as it was sent', async () => {
  const body = JSON.stringify(event('user.created', { id: 'user_spaced', email: 'spaced@example.test' }), null, 2)
  const response = await post(deliveryOf(body, { id: 'msg_spaced' }))
  expect(response.status).toBe(200)
  expect((await findUser('user_spaced')).email).toBe('spaced@example.test')
})

test('a request without a signature is refused with 400 in JSON', async () => {
  const { body } = deliveryOf(event('user.created', { id: 'user_unsigned' }), { id: 'msg_unsigned' })
  const response = await post({ body, headers: { 'content-type': 'application/json' } })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: expect.any(String) })
  expect(await findUser('user_unsigned')).toBeNull()
})

test('a signature made with another secret is refused', async () => {
  const secret = `whsec_${btoa('the secret of somebody else here')}`
  const response = await post(deliveryOf(event('user.created', { id: 'user_foreign' }), { id: 'msg_foreign', secret }))
  expect(response.status).toBe(400)
  expect(await findUser('user_foreign')).toBeNull()
})

test('a body that was changed after signing is refused', async () => {
  const { body, headers } = deliveryOf(event('user.created', { id: 'user_signed' }), { id: 'msg_changed' })
  const response = await post({ body: body.replace('user_signed', 'user_changed'), headers })
  expect(response.status).toBe(400)
  expect(await findUser('user_changed')).toBeNull()
})

test('an old message is refused, one of some minutes ago is not', async () => {
  const old = await post(deliveryOf(event('user.created', { id: 'user_old' }), { id: 'msg_old', sentSecondsAgo: 3600 }))
  expect(old.status).toBe(400)
  expect(await findUser('user_old')).toBeNull()
  const late = await post(deliveryOf(event('user.created', { id: 'user_late' }), { id: 'msg_late', sentSecondsAgo: 120 }))
  expect(late.status).toBe(200)
})

test('an update replaces what is stored', async () => {
  await send(event('user.created', { id: 'user_moves', email: 'before@example.test', first: 'May' }))
  await send(event('user.updated', { id: 'user_moves', email: 'after@example.test', first: 'May', last: 'Moore', at: 2000 }))
  expect(await findUser('user_moves')).toEqual({
    id: 'user_moves',
    email: 'after@example.test',
    name: 'May Moore',
    updatedAt: 2000,
  })
})

test('an update that comes late does not undo a newer one', async () => {
  await send(event('user.updated', { id: 'user_order', first: 'New', at: 3000 }))
  const response = await send(event('user.updated', { id: 'user_order', first: 'Old', at: 2999 }))
  expect(response.status).toBe(200)
  expect(await findUser('user_order')).toMatchObject({ name: 'New', updatedAt: 3000 })
})

test('of two changes at the same time the one that comes last counts', async () => {
  await send(event('user.updated', { id: 'user_same', first: 'One', at: 3000 }))
  await send(event('user.updated', { id: 'user_same', first: 'Two', at: 3000 }))
  expect((await findUser('user_same')).name).toBe('Two')
})

test('a removed user does not come back', async () => {
  await send(event('user.created', { id: 'user_gone', email: 'gone@example.test' }))
  expect((await findUser('user_gone')).id).toBe('user_gone')
  expect((await send(deletion('user_gone'))).status).toBe(200)
  expect(await findUser('user_gone')).toBeNull()
  expect((await send(event('user.updated', { id: 'user_gone', at: 9000 }))).status).toBe(200)
  expect(await findUser('user_gone')).toBeNull()
})

test('a user who was removed before the creation is told gets no mail', async () => {
  await send(deletion('user_brief'))
  const response = await send(event('user.created', { id: 'user_brief', email: 'brief@example.test' }))
  expect(response.status).toBe(200)
  expect(await mailsTo('brief@example.test')).toBe(0)
})

test('a new user is welcomed once, an updated one is not', async () => {
  await send(event('user.created', { id: 'user_eve', email: 'eve@example.test' }))
  await send(event('user.updated', { id: 'user_eve', email: 'eve@example.test', at: 2000 }))
  expect(await mailsTo('eve@example.test')).toBe(1)
})

test('the welcome goes to the address that is stored, not to an older one', async () => {
  await send(event('user.updated', { id: 'user_quick', email: 'newer@example.test', at: 5000 }))
  await send(event('user.created', { id: 'user_quick', email: 'older@example.test' }))
  expect(await mailsTo('newer@example.test')).toBe(1)
  expect(await mailsTo('older@example.test')).toBe(0)
})

test('a delivery that comes again has no effect', async () => {
  const delivery = deliveryOf(event('user.created', { id: 'user_twice', email: 'twice@example.test' }), { id: 'msg_twice' })
  await post(delivery)
  const again = await post(delivery)
  expect(again.status).toBe(200)
  expect(await again.json()).toEqual({ received: true })
  expect(await mailsTo('twice@example.test')).toBe(1)
})

test('a delivery that failed has its full effect when it comes again', async () => {
  const delivery = deliveryOf(event('user.created', { id: 'user_retry', email: 'retry@example.test' }), { id: 'msg_retry' })
  setDown(true)
  const failed = await post(delivery)
  expect(failed.status).toBe(500)
  expect(await failed.json()).toMatchObject({ error: expect.any(String) })
  setDown(false)
  expect((await post(delivery)).status).toBe(200)
  expect(await mailsTo('retry@example.test')).toBe(1)
  expect((await findUser('user_retry')).email).toBe('retry@example.test')
})

test('other events are received without an effect', async () => {
  const response = await send({ object: 'event', type: 'session.created', data: { object: 'session', id: 'user_session' } })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ received: true })
  expect(await findUser('user_session')).toBeNull()
})

test('everything but the webhook still asks for a session', async () => {
  expect((await passMiddleware(apiRequest('/api/mails'))).kind).not.toBe('done')
  expect((await passMiddleware(apiRequest('/api/webhooks/shop', { method: 'POST', body: '{}' }))).kind).not.toBe('done')
  expect((await passMiddleware(apiRequest('/api/mails', { session: sessionOf('user_ada') }))).kind).toBe('done')
})
