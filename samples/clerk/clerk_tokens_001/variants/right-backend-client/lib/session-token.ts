import { auth, clerkClient } from '@clerk/nextjs/server'

/** A token of the current session by that template; undefined without a session. */
export async function tokenFor(template: string): Promise<string | undefined> {
  const { sessionId } = await auth()
  if (!sessionId) return undefined
  const { sessions } = await clerkClient()
  const { jwt } = await sessions.getToken(sessionId, template)
  if (!jwt) throw new Error(`Clerk gave no token by ${template}.`)
  return jwt
}
