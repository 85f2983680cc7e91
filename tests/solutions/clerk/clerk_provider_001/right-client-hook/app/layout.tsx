import type { ReactNode } from 'react'
import { ClerkProvider } from '@clerk/nextjs'
import { Navigation } from '@/components/navigation'

export const metadata = { title: 'Acme Notes' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <ClerkProvider>
      <html lang="en">
        <body>
          <Navigation />
          <main>{children}</main>
        </body>
      </html>
    </ClerkProvider>
  )
}
