import Link from 'next/link'

// TODO: follow the visitor's state.
//   everybody:   link "Home" to /
//   signed out:  a "Sign in" control that starts Clerk's sign-in; nothing of what follows
//   signed in:   link "Dashboard" to /dashboard and Clerk's user button; no "Sign in"
export function Navigation() {
  return (
    <nav>
      <Link href="/">Home</Link>
    </nav>
  )
}
