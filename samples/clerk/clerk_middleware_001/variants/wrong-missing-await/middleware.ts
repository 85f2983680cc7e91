// Wrong: auth.protect() is not awaited, so its refusal comes too late.
import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'

const needsSession = createRouteMatcher(['/dashboard(.*)', '/settings(.*)', '/api/private(.*)'])
const needsAdmin = createRouteMatcher(['/admin(.*)'])

export default clerkMiddleware((auth, request) => {
  if (needsAdmin(request)) auth.protect({ role: 'org:admin' })
  if (needsSession(request)) auth.protect()
})

export const config = {
  matcher: ['/((?!_next|[^?]*\\.(?:html?|css|js|json|jpe?g|webp|png|gif|svg|ico|woff2?|txt)).*)', '/(api|trpc)(.*)'],
}
