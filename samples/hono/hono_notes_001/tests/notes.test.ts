import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, refused, start } from './service'

let service: ChildProcess
beforeAll(async () => {
  service = await start()
}, 90_000)
afterAll(() => {
  service?.kill()
})

async function add(note: object) {
  const { status, json } = await ask('POST', '/notes', note)
  expect(status).toBe(201)
  return json
}

test('a new note is told with its place, and can be read there', async () => {
  const title = randomUUID()
  const made = await ask('POST', '/notes', { title, tags: ['b', 'a', 'b'] })
  expect(made.status).toBe(201)
  expect(made.json).toEqual({ id: expect.any(Number), title, body: '', tags: ['b', 'a'], version: 1 })
  expect(made.headers.get('location')).toBe(`/notes/${made.json.id}`)
  const read = await ask('GET', `/notes/${made.json.id}`)
  expect([read.status, read.headers.get('etag'), read.json]).toEqual([200, '"1"', made.json])
  expect((await add({ title: randomUUID() })).id).toBe(made.json.id + 1)
})

test('what is no note is refused', async () => {
  const wrong = ['{', '', '[]', 'null', {}, { title: ' ' }, { title: 1 }, { title: 'a', body: null },
    { title: 'a', tags: 'x' }, { title: 'a', tags: [1] }, { title: 'a', id: 7 }]
  for (const body of wrong) await refused(400, 'POST', '/notes', body)
})

test('a note is replaced only by who knows its version', async () => {
  const { id } = await add({ title: 'first', body: 'text', tags: ['x'] })
  const next = { title: randomUUID() }
  await refused(428, 'PUT', `/notes/${id}`, next)
  for (const stale of ['"2"', '1', '*', 'W/"1"']) await refused(412, 'PUT', `/notes/${id}`, next, { 'if-match': stale })
  await refused(400, 'PUT', `/notes/${id}`, { title: '' }, { 'if-match': '"1"' })
  const put = await ask('PUT', `/notes/${id}`, next, { 'if-match': '"1"' })
  expect([put.status, put.headers.get('etag')]).toEqual([200, '"2"'])
  expect(put.json).toEqual({ id, title: next.title, body: '', tags: [], version: 2 })
  await refused(412, 'PUT', `/notes/${id}`, next, { 'if-match': '"1"' })
  expect((await ask('GET', `/notes/${id}`)).json).toEqual(put.json)
})

test('a removed note is gone, and its id with it', async () => {
  const { id } = await add({ title: randomUUID() })
  const gone = await ask('DELETE', `/notes/${id}`)
  expect([gone.status, gone.json]).toEqual([204, undefined])
  await refused(404, 'DELETE', `/notes/${id}`)
  await refused(404, 'GET', `/notes/${id}`)
  await refused(404, 'PUT', `/notes/${id}`, {})
  expect((await add({ title: 'next' })).id).toBe(id + 1)
})

test('pages hold every note once, also while notes are deleted', async () => {
  const tag = randomUUID()
  const ids: number[] = []
  for (let n = 0; n < 5; n++) {
    ids.push((await add({ title: `note ${n}`, tags: ['other', tag] })).id)
    await add({ title: 'beside', tags: [`${tag}x`] })
  }
  const first = await ask('GET', `/notes?tag=${tag}&limit=2`)
  expect([first.json.notes.map((n: { id: number }) => n.id), first.json.next]).toEqual([ids.slice(0, 2), ids[1]])
  await ask('DELETE', `/notes/${ids[1]}`)
  const second = await ask('GET', `/notes?tag=${tag}&limit=2&after=${ids[1]}`)
  expect([second.json.notes.map((n: { id: number }) => n.id), second.json.next]).toEqual([ids.slice(2, 4), ids[3]])
  const third = await ask('GET', `/notes?tag=${tag}&limit=1&after=${ids[3]}`)
  expect([third.json.notes.map((n: { id: number }) => n.id), third.json.next]).toEqual([[ids[4]], null])
  const none = await ask('GET', `/notes?tag=${randomUUID()}`)
  expect(none.json).toEqual({ notes: [], next: null })
})

test('a page has its limits', async () => {
  const tag = randomUUID()
  await Promise.all(Array.from({ length: 21 }, () => add({ title: 'one of many', tags: [tag] })))
  const page = await ask('GET', `/notes?tag=${tag}`)
  expect([page.json.notes.length, page.json.next]).toEqual([20, page.json.notes[19].id])
  expect((await ask('GET', `/notes?tag=${tag}&limit=21`)).json.next).toBe(null)
  for (const limit of ['0', '101', '-1', '2.5', 'ten', '']) await refused(400, 'GET', `/notes?limit=${limit}`)
})

test('big notes are kept whole, too big ones are refused', async () => {
  const body = randomUUID().repeat(25_000) // 900,000 bytes
  const { id } = await add({ title: 'big', body })
  expect((await ask('GET', `/notes/${id}`)).json.body === body).toBe(true)
  await refused(413, 'POST', '/notes', { title: 'too big', body: 'x'.repeat(1_048_576) })
})

test('everything else is not found', async () => {
  for (const path of ['/', '/note', '/notes/abc', '/notes/1e0', '/notes/999999', '/notes/1/2']) await refused(404, 'GET', path)
})
