import Link from 'next/link'
import { UserButton } from '@clerk/nextjs'
import { auth } from '@clerk/nextjs/server'

export async function Navigation() {
  const { userId } = await auth()
  return (
    <header>
      <nav aria-label="Main">
        <ul>
          <li>
            <Link href="/">Home</Link>
          </li>
          {userId ? (
            <>
              <li>
                <Link href="/dashboard">Dashboard</Link>
              </li>
              <li>
                <UserButton />
              </li>
            </>
          ) : (
            <li>
              <Link href="/sign-in">Sign in</Link>
            </li>
          )}
        </ul>
      </nav>
    </header>
  )
}
