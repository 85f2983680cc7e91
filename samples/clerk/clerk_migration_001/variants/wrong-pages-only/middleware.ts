// Wrong: the matcher leaves out the API, as in many examples of other libraries.
import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'

const isPublic = createRouteMatcher(['/', '/pricing', '/sign-in(.*)', '/api/webhooks(.*)'])

export default clerkMiddleware(async (auth, request) => {
  if (!isPublic(request)) await auth.protect()
})

export const config = {
  matcher: ['/((?!api|_next|.*\\..*).*)'],
}
