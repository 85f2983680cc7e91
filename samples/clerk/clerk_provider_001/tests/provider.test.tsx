// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useAuth, useUser } from '@clerk/nextjs'
import { expect, test } from 'vitest'
import { showDocument } from '../support/browser-page'
import { navigations } from '../solution_driver/router'
import { importRoute } from '../solution_driver/solution'

const ada = { id: 'user_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.test' }
const { default: Layout } = await importRoute('layout')

/** A page that asks Clerk who is visiting. */
function WhoAmI() {
  const { isLoaded, userId } = useAuth()
  const { user } = useUser()
  return <p>{isLoaded ? `visitor: ${userId ?? 'nobody'} ${user?.firstName ?? ''}` : 'asking'}</p>
}

test('pages are shown inside the document of the root layout', async () => {
  await showDocument(Layout, <p>page content</p>, null)
  expect(document.body.contains(screen.getByText('page content'))).toBe(true)
  expect(document.documentElement.lang).toBe('en')
})

test('a page can use Clerk and learns who is signed in', async () => {
  await showDocument(Layout, <WhoAmI />, ada)
  expect((await screen.findByText(/^visitor:/)).textContent).toBe('visitor: user_ada Ada')
})

test('a page can use Clerk and learns that nobody is signed in', async () => {
  await showDocument(Layout, <WhoAmI />, null)
  expect((await screen.findByText(/^visitor:/)).textContent?.trim()).toBe('visitor: nobody')
})

test('everybody finds the way home', async () => {
  await showDocument(Layout, null, null)
  expect(screen.getByRole('link', { name: /^home$/i }).getAttribute('href')).toBe('/')
})

test('signed-out visitors are offered to sign in, and nothing that needs an account', async () => {
  await showDocument(Layout, null, null)
  await screen.findByText(/^sign in$/i)
  expect(screen.queryByRole('link', { name: /dashboard/i })).toBeNull()
  expect(screen.queryByRole('button', { name: /user menu/i })).toBeNull()
})

test('the sign-in control starts a sign-in', async () => {
  const clerk = await showDocument(Layout, null, null)
  const control = await screen.findByText(/^sign in$/i)
  const link = control.closest('a')
  if (!link) await userEvent.click(control)
  const hrefs = link ? [link.getAttribute('href') ?? ''] : navigations
  expect([...clerk.signInRequests, ...hrefs.filter((href) => href.includes('/sign-in'))]).toHaveLength(1)
})

test('signed-in visitors find their dashboard and the user button, and no offer to sign in', async () => {
  await showDocument(Layout, null, ada)
  expect((await screen.findByRole('link', { name: /^dashboard$/i })).getAttribute('href')).toBe('/dashboard')
  expect(await screen.findByRole('button', { name: /user menu/i })).toBeTruthy()
  expect(screen.queryByText(/^sign in$/i)).toBeNull()
})
