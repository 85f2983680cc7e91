import { clerkMiddleware } from '@clerk/nextjs/server'

// TODO: who has finished onboarding has a session with metadata.onboardingComplete === true; nothing
// else counts (see types/globals.d.ts). Don't ask Clerk's API.
//   /, /pricing, /sign-in and what is below it, /api/health: open to everybody, always
//   signed out: other pages send visitors to sign-in, from where they come back; other API routes
//     refuse with a status of 4xx, never by a redirect
//   signed in, onboarding not finished: /onboarding is open; other pages redirect to
//     /onboarding?next=<path and query of the page asked for>; other API routes answer 403 with
//     { "error": "onboarding required" }
//   signed in, onboarding finished: everything is open, but /onboarding redirects to /dashboard
export default clerkMiddleware()

export const config = {
  matcher: ['/((?!_next|.*\\..*).*)', '/(api|trpc)(.*)'],
}
