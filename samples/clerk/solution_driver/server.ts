/**
 * Serves requests with the solution's middleware, pages, route handlers and actions, as Next.js would.
 * All of this folder runs where the solution does: what tests hand in and get back is data.
 */
import { NextRequest } from 'next/server'
import type { Session } from '../support/session'
import { matches } from './matcher'
import { enterRequest, leaveRequest } from './request-scope'
import { findFile, importFile } from './solution'

const ORIGIN = 'https://app.example.test'

/** What became of a request. */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'redirected'; location: URL }
  | { kind: 'refused'; status: number; body: string }

export interface RequestOptions {
  session?: Session | null
  method?: string
  body?: string
  headers?: Record<string, string>
}

/** A request in writing. */
export interface Ask {
  path: string
  method: string
  headers: Record<string, string>
  body?: string
}

/** A browser asking for a page; the session travels in cookies. */
export function pageRequest(path: string, { session, headers, method = 'GET', body }: RequestOptions = {}): Ask {
  const cookie = session ? { cookie: `__session=${session.token}; __client_uat=${Number(session.claims.iat) - 60}` } : {}
  const sent = { host: 'app.example.test', accept: 'text/html', 'sec-fetch-dest': 'document', ...headers, ...cookie }
  return { path, method, headers: sent, body }
}

/** A program calling an API; the session travels as a bearer token. */
export function apiRequest(path: string, { session, headers, method = 'GET', body }: RequestOptions = {}): Ask {
  const bearer = session ? { authorization: `Bearer ${session.token}` } : {}
  return { path, method, headers: { host: 'app.example.test', accept: 'application/json', ...headers, ...bearer }, body }
}

/** A form of a page posting to a server action. */
export function actionRequest(path: string, options: RequestOptions = {}): Ask {
  const headers = { accept: 'text/x-component', 'next-action': '0a1b2c', 'sec-fetch-dest': 'empty', ...options.headers }
  return pageRequest(path, { method: 'POST', ...options, headers })
}

/** Whether Next.js would run the middleware for this path at all. */
export async function middlewareRuns(path: string): Promise<boolean> {
  if (!findFile('middleware')) return false
  const { config } = await importFile('middleware')
  return matches(config, new URL(path, ORIGIN))
}

/** Runs the middleware alone: `done` means that the request may go on to its route. */
export async function passMiddleware(ask: Ask): Promise<Outcome<null>> {
  const outcome = await pass(ask)
  return outcome.kind === 'done' ? { kind: 'done', value: null } : outcome
}

async function pass(ask: Ask): Promise<Outcome<NextRequest>> {
  const { path, ...rest } = ask
  const request = new NextRequest(new URL(path, ORIGIN), rest)
  const { pathname } = request.nextUrl
  if (!(await middlewareRuns(pathname))) return { kind: 'done', value: request }
  const module = await importFile('middleware')
  const event = { waitUntil() {}, passThroughOnException() {}, sourcePage: '/middleware' }
  const response: Response | undefined = await (module.middleware ?? module.default)(request, event)
  if (!response) return { kind: 'done', value: request }

  const location = response.headers.get('location')
  if (location) return { kind: 'redirected', location: new URL(location, ORIGIN) }
  const rewrite = response.headers.get('x-middleware-rewrite')
  if (rewrite && new URL(rewrite).pathname !== pathname) {
    // Clerk refuses by sending the request on to an address that doesn't exist.
    return { kind: 'refused', status: 404, body: '' }
  }
  if (rewrite || response.headers.get('x-middleware-next')) return { kind: 'done', value: withOverrides(request, response) }
  return { kind: 'refused', status: response.status, body: await response.text() }
}

/** Runs the middleware and then `route`, within the request's scope. */
export async function serve<T>(ask: Ask, route: () => Promise<T> | T): Promise<Outcome<T>> {
  return within(ask, route)
}

async function within<T>(ask: Ask, route: (request: NextRequest) => Promise<T> | T): Promise<Outcome<T>> {
  const passed = await pass(ask)
  if (passed.kind !== 'done') return passed
  enterRequest(passed.value)
  try {
    return { kind: 'done', value: await route(passed.value) }
  } catch (error) {
    return controlFlow(error)
  } finally {
    leaveRequest()
  }
}

/** A route handler's answer; redirects and refusals by middleware become responses too. */
export async function callRoute(handler: unknown, ask: Ask, params: Record<string, string> = {}): Promise<Response> {
  if (typeof handler !== 'function') return new Response(null, { status: 405 })
  const outcome = await within(ask, (request) => handler(request, { params: Promise.resolve(params) }) as Promise<Response>)
  if (outcome.kind === 'done') return outcome.value
  if (outcome.kind === 'refused') return new Response(outcome.body, { status: outcome.status })
  return new Response(null, { status: 307, headers: { location: outcome.location.href } })
}

function withOverrides(request: NextRequest, response: Response): NextRequest {
  const prefix = 'x-middleware-request-'
  const headers = new Headers(request.headers)
  response.headers.forEach((value, name) => {
    if (name.startsWith(prefix)) headers.set(name.slice(prefix.length), value)
  })
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const body = hasBody ? { body: request.body, duplex: 'half' } : {}
  return new NextRequest(request.url, { method: request.method, headers, ...body } as never)
}

/** `redirect()` and `notFound()` of Next.js throw; anything else is a real error. */
function controlFlow(error: unknown): Outcome<never> {
  const digest = String((error as { digest?: unknown } | null)?.digest ?? '')
  const [kind, ...rest] = digest.split(';')
  if (kind === 'NEXT_REDIRECT') return { kind: 'redirected', location: new URL(rest.slice(1, -2).join(';'), ORIGIN) }
  if (kind === 'NEXT_HTTP_ERROR_FALLBACK') return { kind: 'refused', status: Number(rest[0]), body: '' }
  throw error
}
