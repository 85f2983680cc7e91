import 'server-only'
import { auth } from '@clerk/nextjs/server'

export async function requireUserId(): Promise<string> {
  const session = await auth()
  return session.userId ?? session.redirectToSignIn()
}
