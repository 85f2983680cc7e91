import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'

// TODO: Clerk calls /api/webhooks/clerk without a session. Everything else stays protected.
const isPublic = createRouteMatcher(['/', '/sign-in(.*)'])

export default clerkMiddleware(async (auth, request) => {
  if (!isPublic(request)) await auth.protect()
})

export const config = {
  matcher: ['/((?!_next|.*\\..*).*)', '/(api|trpc)(.*)'],
}
