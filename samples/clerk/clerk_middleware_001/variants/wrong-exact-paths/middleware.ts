// Wrong: the matchers name the exact paths, so everything below them is open.
import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'

const needsSession = createRouteMatcher(['/dashboard', '/settings', '/api/private'])
const needsAdmin = createRouteMatcher(['/admin'])

export default clerkMiddleware(async (auth, request) => {
  if (needsAdmin(request)) await auth.protect({ role: 'org:admin' })
  if (needsSession(request)) await auth.protect()
})

export const config = {
  matcher: ['/((?!_next|[^?]*\\.(?:html?|css|js|json|jpe?g|webp|png|gif|svg|ico|woff2?|txt)).*)', '/(api|trpc)(.*)'],
}
