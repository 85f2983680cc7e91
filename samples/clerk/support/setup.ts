/**
 * Runs before every test file, and so before Clerk is first imported: Clerk reads its
 * keys and takes hold of `fetch` when its modules load.
 */
import { createRequire } from 'node:module'
import { afterEach, vi } from 'vitest'
import { answerClerkApi, resetClerkApi } from './clerk-api'
import { leaveRequest } from './request-scope'

process.env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY = `pk_live_${btoa('clerk.example.test$')}`
process.env.CLERK_SECRET_KEY = `sk_live_${'0123456789'.repeat(4)}`
process.env.NEXT_PUBLIC_CLERK_SIGN_IN_URL = '/sign-in'
process.env.NEXT_PUBLIC_CLERK_SIGN_UP_URL = '/sign-up'
process.env.NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED = '1'

// Clerk calls require('server-only'), which throws outside a Next.js server bundle.
const require = createRequire(import.meta.url)
const serverOnly = createRequire(require.resolve('@clerk/nextjs')).resolve('server-only')
require.cache[serverOnly] = { id: serverOnly, filename: serverOnly, loaded: true, exports: {} } as NodeJS.Module

globalThis.fetch = answerClerkApi

vi.mock('next/headers', () => import('./request-scope'))
vi.mock('next/cache', () => import('./next-cache'))

afterEach(() => {
  leaveRequest()
  resetClerkApi()
})
