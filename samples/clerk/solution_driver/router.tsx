/** The part of the App Router that links and Clerk's provider ask for. */
import type { ReactNode } from 'react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'

/** Addresses that client code asked the router to go to. */
export const navigations: string[] = []

const router = {
  push: (href: string) => void navigations.push(href),
  replace: (href: string) => void navigations.push(href),
  prefetch: () => {},
  refresh: () => {},
  back: () => {},
  forward: () => {},
}

export function RouterStub({ path = '/', children }: { path?: string; children: ReactNode }) {
  return (
    <AppRouterContext.Provider value={router as never}>
      <PathnameContext.Provider value={path}>
        <SearchParamsContext.Provider value={new URLSearchParams()}>{children}</SearchParamsContext.Provider>
      </PathnameContext.Provider>
    </AppRouterContext.Provider>
  )
}
