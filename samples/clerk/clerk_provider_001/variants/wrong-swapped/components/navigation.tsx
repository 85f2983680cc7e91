// Wrong: SignedIn and SignedOut are swapped.
import Link from 'next/link'
import { SignedIn, SignedOut, SignInButton, UserButton } from '@clerk/nextjs'

export function Navigation() {
  return (
    <nav>
      <Link href="/">Home</Link>
      <SignedIn>
        <SignInButton>
          <button type="button">Sign in</button>
        </SignInButton>
      </SignedIn>
      <SignedOut>
        <Link href="/dashboard">Dashboard</Link>
        <UserButton />
      </SignedOut>
    </nav>
  )
}
