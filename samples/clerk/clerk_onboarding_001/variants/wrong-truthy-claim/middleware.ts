// Wrong: takes every claim that is there for finished.
import { clerkMiddleware, createRouteMatcher } from '@clerk/nextjs/server'
import { NextResponse } from 'next/server'
import { DEFAULT_PATH } from '@/lib/next-path'

const isPublic = createRouteMatcher(['/', '/pricing', '/sign-in(.*)', '/api/health'])
const isApi = createRouteMatcher(['/api/(.*)'])
const isOnboarding = createRouteMatcher(['/onboarding'])

export default clerkMiddleware(async (auth, request) => {
  if (isPublic(request)) return
  const { sessionClaims } = await auth.protect()

  const isFinished = sessionClaims.metadata?.onboardingComplete !== undefined && sessionClaims.metadata.onboardingComplete !== false
  if (isOnboarding(request)) {
    return isFinished ? NextResponse.redirect(new URL(DEFAULT_PATH, request.url)) : undefined
  }
  if (isFinished) return
  if (isApi(request)) return NextResponse.json({ error: 'onboarding required' }, { status: 403 })

  const onboarding = new URL('/onboarding', request.url)
  onboarding.searchParams.set('next', request.nextUrl.pathname + request.nextUrl.search)
  return NextResponse.redirect(onboarding)
})

export const config = {
  matcher: ['/((?!_next|.*\\..*).*)', '/(api|trpc)(.*)'],
}
