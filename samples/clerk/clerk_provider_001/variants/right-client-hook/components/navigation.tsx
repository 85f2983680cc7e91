'use client'

import Link from 'next/link'
import { UserButton, useAuth, useClerk } from '@clerk/nextjs'

export function Navigation() {
  const { isLoaded, isSignedIn } = useAuth()
  const clerk = useClerk()
  return (
    <nav>
      <Link href="/">Home</Link>
      {isLoaded && !isSignedIn && (
        <button type="button" onClick={() => clerk.openSignIn()}>
          Sign in
        </button>
      )}
      {isLoaded && isSignedIn && (
        <>
          <Link href="/dashboard">Dashboard</Link>
          <UserButton />
        </>
      )}
    </nav>
  )
}
