// Wrong: sends newcomers to onboarding from onboarding itself, and API callers too.
import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'
import { NextResponse } from 'next/server'
import { DEFAULT_PATH } from '@/lib/next-path'

const isPublic = createRouteMatcher(['/', '/pricing', '/sign-in(.*)', '/api/health'])
const isOnboarding = createRouteMatcher(['/onboarding'])

export default clerkMiddleware(async (auth, request) => {
  if (isPublic(request)) return
  const { sessionClaims } = await auth.protect()

  const isFinished = sessionClaims.metadata?.onboardingComplete === true
  if (isFinished) {
    return isOnboarding(request) ? NextResponse.redirect(new URL(DEFAULT_PATH, request.url)) : undefined
  }

  const onboarding = new URL('/onboarding', request.url)
  onboarding.searchParams.set('next', request.nextUrl.pathname + request.nextUrl.search)
  return NextResponse.redirect(onboarding)
})

export const config = {
  matcher: ['/((?!_next|.*\\..*).*)', '/(api|trpc)(.*)'],
}
