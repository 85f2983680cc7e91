import { beforeEach, expect, test } from 'vitest'
import { addUser } from '../support/clerk-api'
import { actionRequest, serve } from '../solution_driver/server'
import { visitPage } from '../solution_driver/server-page'
import { type Session, sessionOf } from '../support/session'
import { importFile, importRoute } from '../solution_driver/solution'

const ada = sessionOf('user_ada')
const { allNotes, saveNote } = await importFile('lib/notes')
const { createNote } = await importRoute('dashboard/actions')
let before = 0

beforeEach(async () => {
  before = (await allNotes()).length
  addUser({ id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test' })
  addUser({ id: 'user_bob', firstName: 'Bob', lastName: 'Moore', email: 'bob@example.test' })
})

async function submit(fields: Record<string, string>, session: Session | null) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const outcome = await serve(actionRequest('/dashboard', { session }), () => createNote(form))
  return outcome.kind === 'done' ? outcome.value : outcome
}

/** The notes that this test has saved. */
async function savedNotes() {
  return (await allNotes()).slice(before)
}

test('signed-out visitors of the dashboard are sent to sign-in', async () => {
  const outcome = await visitPage('dashboard', null)
  expect(outcome).toMatchObject({ kind: 'redirected', location: { pathname: '/sign-in' } })
})

test('the dashboard greets the signed-in user by first name', async () => {
  expect(await visitPage('dashboard', ada)).toMatchObject({ value: expect.stringContaining('Welcome, Ada') })
  expect(await visitPage('dashboard', sessionOf('user_bob'))).toMatchObject({
    value: expect.stringContaining('Welcome, Bob'),
  })
})

test('the dashboard lists the notes of its user only', async () => {
  await saveNote('user_ada', 'analytical engine')
  await saveNote('user_bob', 'gardening')
  const outcome = await visitPage('dashboard', ada)
  expect(outcome).toMatchObject({ kind: 'done', value: expect.stringContaining('analytical engine') })
  expect(outcome).toMatchObject({ value: expect.not.stringContaining('gardening') })
})

test('a signed-in user saves a note', async () => {
  const result = await submit({ text: '  buy tea ' }, ada)
  expect(result).toMatchObject({ ok: true, note: { userId: 'user_ada', text: 'buy tea' } })
  expect(await savedNotes()).toMatchObject([{ userId: 'user_ada', text: 'buy tea' }])
})

test('the owner is the user of the session, whatever the form says', async () => {
  await submit({ text: 'a forged note', userId: 'user_bob', user_id: 'user_bob', owner: 'user_bob' }, ada)
  expect(await savedNotes()).toMatchObject([{ userId: 'user_ada', text: 'a forged note' }])
})

test('without a session nothing is saved', async () => {
  const result = await submit({ text: 'anonymous', userId: 'user_bob' }, null)
  expect(result).toMatchObject({ ok: false, error: expect.any(String) })
  expect(await savedNotes()).toEqual([])
})

test('a forged session saves nothing', async () => {
  const outcome = await submit({ text: 'forged' }, sessionOf('user_ada', { forged: true }))
  expect(outcome).not.toMatchObject({ ok: true })
  expect(await savedNotes()).toEqual([])
})

test('blank text is refused', async () => {
  expect(await submit({ text: '   ' }, ada)).toMatchObject({ ok: false, error: expect.any(String) })
  expect(await savedNotes()).toEqual([])
})
