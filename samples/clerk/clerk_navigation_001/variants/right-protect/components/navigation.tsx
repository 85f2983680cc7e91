import type { ReactNode } from 'react'
import { Protect, SignedIn, SignedOut } from '@clerk/nextjs'
import { auth } from '@clerk/nextjs/server'
import Link from 'next/link'
import { type Audience, LINKS } from '@/lib/links'
import { WhoAmI } from '@/components/who-am-i'

export async function Navigation() {
  const { sessionClaims } = await auth()
  const isStaff = sessionClaims?.metadata?.role === 'staff'
  return (
    <nav aria-label="Workspace">
      {LINKS.map(({ label, href, audience }) => (
        <For audience={audience} isStaff={isStaff} key={label}>
          <Link href={href}>
            <span>{label}</span>
          </Link>
        </For>
      ))}
      <SignedIn>
        <WhoAmI />
      </SignedIn>
    </nav>
  )
}

function For({ audience, isStaff, children }: { audience: Audience; isStaff: boolean; children: ReactNode }) {
  if (audience.kind === 'signed-out') return <SignedOut>{children}</SignedOut>
  if (audience.kind === 'signed-in') return <SignedIn>{children}</SignedIn>
  if (audience.kind === 'role') return <Protect role={audience.role}>{children}</Protect>
  if (audience.kind === 'permission') return <Protect permission={audience.permission}>{children}</Protect>
  if (audience.kind === 'organization') return <InOrganization>{children}</InOrganization>
  return audience.kind === 'everybody' || isStaff ? children : null
}

async function InOrganization({ children }: { children: ReactNode }) {
  return (await auth()).orgId ? children : null
}
