import { clerkMiddleware } from '@clerk/nextjs/server'
import { NextResponse, type NextFetchEvent, type NextRequest } from 'next/server'

const PROTECTED_PAGES = ['/dashboard', '/settings', '/admin']

function isBelow(pathname: string, prefix: string): boolean {
  return pathname === prefix || pathname.startsWith(`${prefix}/`)
}

const withClerk = clerkMiddleware(async (auth, request) => {
  const { pathname } = request.nextUrl
  const { userId, has, redirectToSignIn } = await auth()
  if (isBelow(pathname, '/api/private') && !userId) {
    return NextResponse.json({ error: 'Unauthorized' }, { status: 401 })
  }
  if (PROTECTED_PAGES.some((prefix) => isBelow(pathname, prefix)) && !userId) {
    return redirectToSignIn({ returnBackUrl: request.url })
  }
  if (isBelow(pathname, '/admin') && !has({ role: 'org:admin' })) {
    return NextResponse.redirect(new URL('/', request.url))
  }
  return NextResponse.next()
})

export function middleware(request: NextRequest, event: NextFetchEvent) {
  return withClerk(request, event)
}

export const config = {
  matcher: ['/((?!_next/|.*\\.[\\w]+$).*)', '/api/:path*'],
}
