import type { ReactNode } from 'react'
import { Navigation } from '@/components/navigation'

export const metadata = { title: 'Acme Notes' }

// TODO: make Clerk available to every page and to the navigation.
export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Navigation />
        <main>{children}</main>
      </body>
    </html>
  )
}
