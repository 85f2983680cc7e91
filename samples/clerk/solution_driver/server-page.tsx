/** Renders a page of the solution on the server, inside its layouts. */
import { text as readAll } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { ClerkProvider } from '@clerk/nextjs'
import type { Session } from '../support/session'
import { RouterStub } from './router'
import { type Outcome, pageRequest, serve } from './server'
import { importPage } from './solution'

/** What of an address its route doesn't say. */
export interface Visit {
  /** The address with its query; the route's own if it has no parameters. */
  path?: string
  params?: Record<string, string>
}

export interface Link {
  text: string
  href: string
}

/** The visible text of the page at `route`, such as `dashboard`, for a visitor with or without a session. */
export async function visitPage(route: string, session: Session | null, visit: Visit = {}): Promise<Outcome<string>> {
  return serve(request(route, session, visit), async () => visibleText(await renderPage(route, visit)))
}

/** The links of a page and of the layouts around it, in their order. */
export async function visitLinks(route: string, session: Session | null, visit: Visit = {}): Promise<Outcome<Link[]>> {
  return serve(request(route, session, visit), async () => links(await renderPage(route, visit)))
}

function request(route: string, session: Session | null, { path = `/${route}` }: Visit) {
  return pageRequest(path, { session })
}

async function renderPage(route: string, visit: Visit): Promise<string> {
  const { page, layouts } = await importPage(route)
  const Page = page.default
  const address = new URL(visit.path ?? `/${route}`, 'https://app.example.test')
  const searchParams = Promise.resolve(Object.fromEntries(address.searchParams))
  const props = { params: Promise.resolve(visit.params ?? {}), searchParams }
  let content: ReactNode = <Page {...props} />
  for (const { default: Layout } of layouts.reverse()) content = <Layout params={props.params}>{content}</Layout>

  const errors: unknown[] = []
  const tree = (
    <RouterStub path={address.pathname}>
      <ClerkProvider {...({ initialState: await initialState() } as object)}>{content}</ClerkProvider>
    </RouterStub>
  )
  const { prelude } = await prerenderToNodeStream(tree, { onError: (error) => void errors.push(error) })
  const html = await readAll(prelude)
  // An error below a Suspense boundary doesn't reject, yet Next.js would act on it.
  if (errors.length > 0) throw errors[0]
  return html
}

/** What Clerk's server-side provider hands to its client components: whom it takes the request to be from. */
async function initialState() {
  const { auth } = await import('@clerk/nextjs/server')
  // Without Clerk's middleware nobody can say; a page that doesn't ask is shown all the same.
  const viewer = await auth().catch(() => null)
  return {
    userId: viewer?.userId ?? null,
    sessionId: viewer?.sessionId ?? null,
    sessionClaims: viewer?.sessionClaims ?? null,
    sessionStatus: viewer?.sessionStatus ?? null,
    orgId: viewer?.orgId ?? null,
    orgRole: viewer?.orgRole ?? null,
    orgSlug: viewer?.orgSlug ?? null,
    orgPermissions: viewer?.orgPermissions ?? null,
  }
}

function links(html: string): Link[] {
  return [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(([, attributes, content]) => ({
    text: visibleText(content),
    href: visibleText(/\bhref="([^"]*)"/.exec(attributes)?.[1] ?? ''),
  }))
}

function visibleText(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", nbsp: ' ' }
  return html
    .replace(/<(script|style|template)\b.*?<\/\1>/gs, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}
