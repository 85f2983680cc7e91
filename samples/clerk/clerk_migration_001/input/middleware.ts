import { authMiddleware } from '@clerk/nextjs'

// authMiddleware protects everything that isn't listed as public.
export default authMiddleware({
  publicRoutes: ['/', '/pricing', '/sign-in(.*)', '/api/webhooks(.*)'],
})

export const config = {
  matcher: ['/((?!.+\\.[\\w]+$|_next).*)', '/', '/(api|trpc)(.*)'],
}
