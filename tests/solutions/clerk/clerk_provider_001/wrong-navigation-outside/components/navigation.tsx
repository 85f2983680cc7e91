import Link from 'next/link'
import { SignedIn, SignedOut, SignInButton, UserButton } from '@clerk/nextjs'

export function Navigation() {
  return (
    <nav>
      <Link href="/">Home</Link>
      <SignedOut>
        <SignInButton>
          <button type="button">Sign in</button>
        </SignInButton>
      </SignedOut>
      <SignedIn>
        <Link href="/dashboard">Dashboard</Link>
        <UserButton />
      </SignedIn>
    </nav>
  )
}
