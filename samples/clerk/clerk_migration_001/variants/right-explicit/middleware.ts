import { clerkMiddleware } from '@clerk/nextjs/server'
import { NextResponse } from 'next/server'

const PUBLIC = [/^\/$/, /^\/pricing$/, /^\/sign-in(\/|$)/, /^\/api\/webhooks(\/|$)/]

export const middleware = clerkMiddleware(async (auth, { nextUrl: { pathname } }) => {
  if (PUBLIC.some((pattern) => pattern.test(pathname))) return
  const session = await auth()
  if (session.userId) return
  if (pathname.startsWith('/api/')) return NextResponse.json({ error: 'Unauthorized' }, { status: 401 })
  return session.redirectToSignIn()
})

export const config = {
  matcher: ['/((?!_next|.*\\..*).*)', '/(api|trpc)(.*)'],
}
