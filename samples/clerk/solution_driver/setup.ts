/** Runs before the solution does, in its process: stands in for what only a server of Next.js has. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const nextClerk = installed('@clerk/nextjs')
if (nextClerk) {
  // Clerk calls require('server-only'), which throws outside a Next.js server bundle.
  const serverOnly = createRequire(nextClerk).resolve('server-only')
  require.cache[serverOnly] = { id: serverOnly, filename: serverOnly, loaded: true, exports: {} } as NodeJS.Module
}

/** Where a package is; null for samples that do without it. */
function installed(name: string): string | null {
  try {
    return require.resolve(name)
  } catch {
    return null
  }
}
