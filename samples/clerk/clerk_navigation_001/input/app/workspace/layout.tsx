import type { ReactNode } from 'react'
import { Navigation } from '@/components/navigation'

export default function WorkspaceLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Navigation />
      <main>{children}</main>
    </>
  )
}
