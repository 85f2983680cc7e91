/**
 * Runs before every test file, beside the tests, and so before Clerk is first imported: Clerk reads
 * its keys and takes hold of `fetch` when its modules load. Both count where the solution runs, too.
 */
import { afterEach } from 'vitest'
import { answerClerkApi, resetClerkApi } from './clerk-api'
import { WEBHOOK_SECRET } from './webhook'

process.env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY = `pk_live_${btoa('clerk.example.test$')}`
process.env.CLERK_SECRET_KEY = `sk_live_${'0123456789'.repeat(4)}`
process.env.CLERK_WEBHOOK_SIGNING_SECRET = WEBHOOK_SECRET
process.env.NEXT_PUBLIC_CLERK_SIGN_IN_URL = '/sign-in'
process.env.NEXT_PUBLIC_CLERK_SIGN_UP_URL = '/sign-up'
process.env.NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED = '1'
process.env.CLERK_TELEMETRY_DISABLED = '1'

globalThis.fetch = answerClerkApi

afterEach(resetClerkApi)
