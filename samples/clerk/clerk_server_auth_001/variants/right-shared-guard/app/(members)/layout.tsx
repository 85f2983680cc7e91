import type { ReactNode } from 'react'
import { auth } from '@clerk/nextjs/server'

export default async function MembersLayout({ children }: { children: ReactNode }) {
  await auth.protect()
  return <section>{children}</section>
}
