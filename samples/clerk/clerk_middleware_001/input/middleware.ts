import { NextResponse } from 'next/server'

// TODO: protect the application with Clerk.
//   /dashboard, /settings and everything below them: signed-in visitors only. Others are sent to
//     sign-in, and come back to the page that they asked for.
//   /admin and everything below it: members of the active organisation with the role org:admin
//     only. Signed-out visitors are sent to sign-in; signed-in ones without the role must not
//     get the page.
//   /api/private/...: signed-in callers only. Others are refused with a status of 4xx, never
//     redirected to a page.
//   everything else (/, /pricing, /sign-in, /api/health, ...): public
export default function middleware() {
  return NextResponse.next()
}

// TODO: run for all pages and all of /api, but not for files of Next.js (/_next/...) nor for
// static files such as /logo.svg.
export const config = {
  matcher: [],
}
