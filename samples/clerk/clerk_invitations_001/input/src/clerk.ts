/** Clerk's backend client, made once. Use it as it is. */
import { createClerkClient } from '@clerk/backend'

export const clerk = createClerkClient({ secretKey: process.env.CLERK_SECRET_KEY })
