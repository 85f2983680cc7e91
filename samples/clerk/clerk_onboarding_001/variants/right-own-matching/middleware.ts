import { clerkMiddleware } from '@clerk/nextjs/server'
import { NextResponse } from 'next/server'

const OPEN = [/^\/$/, /^\/pricing$/, /^\/sign-in(\/|$)/, /^\/api\/health$/]

export const middleware = clerkMiddleware(async (auth, request) => {
  const { pathname, search } = request.nextUrl
  if (OPEN.some((pattern) => pattern.test(pathname))) return NextResponse.next()

  const isApi = pathname.startsWith('/api/')
  const { userId, sessionClaims, redirectToSignIn } = await auth()
  if (!userId && isApi) return NextResponse.json({ error: 'signed out' }, { status: 401 })
  if (!userId) return redirectToSignIn({ returnBackUrl: request.url })

  if (sessionClaims.metadata?.onboardingComplete !== true) {
    if (pathname === '/onboarding') return NextResponse.next()
    if (isApi) return NextResponse.json({ error: 'onboarding required' }, { status: 403 })
    return NextResponse.redirect(`${request.nextUrl.origin}/onboarding?next=${encodeURIComponent(pathname + search)}`)
  }
  return pathname === '/onboarding' ? NextResponse.redirect(new URL('/dashboard', request.url)) : NextResponse.next()
})

export const config = {
  matcher: ['/((?!_next|.*\\..*).*)', '/(api|trpc)(.*)'],
}
