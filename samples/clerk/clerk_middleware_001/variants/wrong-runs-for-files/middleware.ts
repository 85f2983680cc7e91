// Wrong: the matcher names every path, so the middleware runs for static files, too.
import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'

const needsSession = createRouteMatcher(['/dashboard(.*)', '/settings(.*)', '/api/private(.*)'])
const needsAdmin = createRouteMatcher(['/admin(.*)'])

export default clerkMiddleware(async (auth, request) => {
  if (needsAdmin(request)) await auth.protect({ role: 'org:admin' })
  if (needsSession(request)) await auth.protect()
})

export const config = {
  matcher: ['/:path*'],
}
