// Wrong: authMiddleware protected everything but the public routes; this protects two routes only.
import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'

const isProtected = createRouteMatcher(['/dashboard(.*)', '/api/orders(.*)'])

export default clerkMiddleware(async (auth, request) => {
  if (isProtected(request)) await auth.protect()
})

export const config = {
  matcher: ['/((?!.+\\.[\\w]+$|_next).*)', '/', '/(api|trpc)(.*)'],
}
