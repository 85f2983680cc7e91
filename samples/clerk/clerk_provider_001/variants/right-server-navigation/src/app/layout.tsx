import type { ReactNode } from 'react'
import { ClerkProvider } from '@clerk/nextjs'
import { Navigation } from '@/components/navigation'

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <ClerkProvider>
          <Navigation />
          {children}
        </ClerkProvider>
      </body>
    </html>
  )
}
