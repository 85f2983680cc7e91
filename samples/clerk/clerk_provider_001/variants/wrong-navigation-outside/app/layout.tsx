// Wrong: the navigation with its user button stands outside the provider.
import type { ReactNode } from 'react'
import { ClerkProvider } from '@clerk/nextjs'
import { Navigation } from '@/components/navigation'

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Navigation />
        <ClerkProvider>
          <main>{children}</main>
        </ClerkProvider>
      </body>
    </html>
  )
}
