/** Shows parts of the solution in a simulated browser, with a visitor who is or isn't signed in. */
import { isValidElement, type ReactNode, Suspense } from 'react'
import { act, cleanup, configure, render } from '@testing-library/react'
import { ClerkProvider } from '@clerk/nextjs'
import { afterEach } from 'vitest'
import { navigations, RouterStub } from '../solution_driver/router'
import { pageRequest, serve } from '../solution_driver/server'
import { addUser } from './clerk-api'
import { BrowserClerk, type BrowserUser } from './browser-clerk'
import { sessionOf } from './session'

// The default of one second is short for a machine that judges several solutions at once.
configure({ asyncUtilTimeout: 2_500 })

afterEach(() => {
  cleanup()
  navigations.length = 0
  delete (globalThis as { Clerk?: unknown }).Clerk
})

/** The whole document that a root layout makes of `children`, once Clerk has loaded. */
export async function showDocument(
  Layout: (props: { children: ReactNode }) => ReactNode | Promise<ReactNode>,
  children: ReactNode,
  user: BrowserUser | null,
): Promise<BrowserClerk> {
  const clerk = BrowserClerk.install(user)
  if (user) addUser(user)
  const request = pageRequest('/', { session: user ? sessionOf(user.id) : null })
  const outcome = await serve(request, async () => {
    const document_ = await resolveServerComponents(<Layout>{children}</Layout>)
    clerk.finishLoading()
    await act(async () => {
      render(<RouterStub>{document_}</RouterStub>, { container: document, baseElement: document.documentElement })
    })
  })
  if (outcome.kind !== 'done') throw new Error(`The page was not shown but ${outcome.kind}.`)
  return clerk
}

/** One component inside Clerk's provider. Clerk is still loading until `finishLoading` is called. */
export async function showComponent(component: ReactNode, user: BrowserUser | null): Promise<BrowserClerk> {
  const clerk = BrowserClerk.install(user)
  await act(async () => {
    render(
      <RouterStub>
        <ClerkProvider>
          <Suspense>{component}</Suspense>
        </ClerkProvider>
      </RouterStub>,
    )
  })
  return clerk
}

export async function finishLoading(clerk: BrowserClerk): Promise<void> {
  await act(async () => clerk.finishLoading())
}

/**
 * Replaces async components by what they return, as the server does before a browser sees
 * the page. Other components are left to React.
 */
async function resolveServerComponents(node: ReactNode): Promise<ReactNode> {
  if (Array.isArray(node)) return Promise.all(node.map(resolveServerComponents)) as Promise<ReactNode>
  if (!isValidElement<{ children?: ReactNode }>(node)) return node
  const { type, props, key } = node
  if (typeof type === 'function' && type.constructor.name === 'AsyncFunction') {
    return resolveServerComponents(await (type as (props: object) => Promise<ReactNode>)(props))
  }
  if (props.children === undefined) return node
  const Type = type as 'div'
  return (
    <Type key={key} {...props}>
      {await resolveServerComponents(props.children)}
    </Type>
  )
}

/** All the text on show, whatever elements it is spread over. */
export function shownText(): string {
  return (document.body.textContent ?? '').replace(/\s+/g, ' ').trim()
}
