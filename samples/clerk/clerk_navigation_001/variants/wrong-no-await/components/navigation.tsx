// Wrong: uses auth() as if it were synchronous, as it was before version 6.
import Link from 'next/link'
import { auth, currentUser } from '@clerk/nextjs/server'
import { maySee } from '@/lib/audience'
import { LINKS, ROLE_NAMES } from '@/lib/links'

export async function Navigation() {
  const viewer = auth() as unknown as Awaited<ReturnType<typeof auth>>
  return (
    <nav>
      <ul>
        {LINKS.filter(({ audience }) => maySee(viewer, audience)).map(({ label, href }) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
          </li>
        ))}
      </ul>
      {viewer.userId && <p>{await describe(viewer.orgRole)}</p>}
    </nav>
  )
}

async function describe(role: string | undefined): Promise<string> {
  const name = await nameOfUser()
  return role ? `${name} (${ROLE_NAMES[role] ?? role.replace(/^org:/, '')})` : name
}

async function nameOfUser(): Promise<string> {
  // The navigation is on every page: it must not break them when Clerk's API does.
  const user = await currentUser().catch(() => null)
  const names = [user?.firstName, user?.lastName].filter(Boolean).join(' ')
  return names || user?.primaryEmailAddress?.emailAddress || 'Your account'
}
