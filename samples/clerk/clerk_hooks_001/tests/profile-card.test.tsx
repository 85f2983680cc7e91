// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { finishLoading, showComponent, shownText } from '../support/browser-page'
import { importFile } from '../solution_driver/solution'

const ada = { id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test' }
const { ProfileCard } = await importFile('components/profile-card')

afterEach(() => vi.unstubAllGlobals())

/** Answers the card's requests and records them. */
function answerWith(answer: () => Response | Promise<Response>): Request[] {
  const requests: Request[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const address = input instanceof Request ? input : new URL(input, 'https://app.example.test')
    requests.push(new Request(address, { ...init, signal: null }))
    return answer()
  })
  return requests
}

async function showLoaded(user: typeof ada | null) {
  const clerk = await showComponent(<ProfileCard />, user)
  await finishLoading(clerk)
  return clerk
}

test('while Clerk loads, the card says so and nothing else', async () => {
  await showComponent(<ProfileCard />, ada)
  expect(screen.getByRole('status').textContent).toMatch(/loading/i)
  expect(shownText()).not.toMatch(/signed out/i)
  expect(screen.queryByRole('button')).toBeNull()
})

test('once Clerk has loaded, the loading state is gone', async () => {
  const clerk = await showComponent(<ProfileCard />, ada)
  await finishLoading(clerk)
  await screen.findByRole('heading', { name: 'Ada Lovelace' })
  expect(screen.queryByRole('status')).toBeNull()
  expect(shownText()).not.toMatch(/loading/i)
})

test('a signed-out visitor is told so', async () => {
  await showLoaded(null)
  await waitFor(() => expect(shownText()).toContain('You are signed out.'))
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull()
})

test('a signed-in user sees the full name and the primary e-mail address', async () => {
  await showLoaded(ada)
  await screen.findByRole('heading', { name: 'Ada Lovelace' })
  expect(shownText()).toContain('ada@example.test')
  expect(shownText()).not.toContain('old-ada@example.test')
})

test('"Sign out" ends the session, and the card follows', async () => {
  const clerk = await showLoaded(ada)
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }))
  await waitFor(() => expect(shownText()).toContain('You are signed out.'))
  expect(clerk.signOutCalls).toBe(1)
})

test('"Show plan" asks the API with the session token and shows the answer', async () => {
  const clerk = await showLoaded(ada)
  const requests = answerWith(() => Response.json({ plan: 'enterprise' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show plan' }))
  await waitFor(() => expect(shownText()).toContain('Plan: enterprise'))
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(['GET /api/plan'])
  expect(requests[0].headers.get('authorization')).toBe(`Bearer ${clerk.token}`)
})

test('a refused request is reported', async () => {
  await showLoaded(ada)
  answerWith(() => Response.json({ error: 'Unauthorized' }, { status: 401 }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show plan' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Could not load the plan.')
  expect(shownText()).not.toContain('Plan:')
})

test('a broken connection is reported', async () => {
  await showLoaded(ada)
  answerWith(() => Promise.reject(new TypeError('fetch failed')))
  await userEvent.click(await screen.findByRole('button', { name: 'Show plan' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Could not load the plan.')
})

test('before the plan is asked for, nothing has failed', async () => {
  await showLoaded(ada)
  await screen.findByRole('heading', { name: 'Ada Lovelace' })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a plan that comes at last takes the place of the failure', async () => {
  await showLoaded(ada)
  answerWith(() => Response.json({ error: 'Unavailable' }, { status: 503 }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show plan' }))
  await screen.findByRole('alert')
  answerWith(() => Response.json({ plan: 'basic' }))
  await userEvent.click(screen.getByRole('button', { name: 'Show plan' }))
  await waitFor(() => expect(shownText()).toContain('Plan: basic'))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a failure takes the place of the plan', async () => {
  await showLoaded(ada)
  answerWith(() => Response.json({ plan: 'basic' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show plan' }))
  await waitFor(() => expect(shownText()).toContain('Plan: basic'))
  answerWith(() => Response.json({ error: 'Unavailable' }, { status: 503 }))
  await userEvent.click(screen.getByRole('button', { name: 'Show plan' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Could not load the plan.')
  expect(shownText()).not.toContain('Plan:')
})
