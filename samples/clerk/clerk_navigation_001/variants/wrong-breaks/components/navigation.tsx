// Wrong: lets an error of Clerk's API break every page.
import Link from 'next/link'
import { auth, currentUser } from '@clerk/nextjs/server'
import { maySee } from '@/lib/audience'
import { LINKS, ROLE_NAMES } from '@/lib/links'

export async function Navigation() {
  const viewer = await auth()
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
  const user = await currentUser()
  const names = [user?.firstName, user?.lastName].filter(Boolean).join(' ')
  return names || user?.primaryEmailAddress?.emailAddress || 'Your account'
}
