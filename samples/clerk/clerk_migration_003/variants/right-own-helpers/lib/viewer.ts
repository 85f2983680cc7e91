import { auth, currentUser } from '@clerk/nextjs/server'
import { redirect } from 'next/navigation'

export interface Viewer {
  id: string
  organization: string | null
  isAdmin: boolean
}

/** Who asks for this page; others go to sign-in and come back to `path`. */
export async function viewerOr(path: string): Promise<Viewer> {
  const { userId, orgId, orgRole } = await auth()
  if (!userId) redirect('/sign-in?' + new URLSearchParams({ redirect_url: path }))
  return { id: userId, organization: orgId ?? null, isAdmin: orgRole === 'org:admin' }
}

export async function firstName(): Promise<string> {
  return (await currentUser())?.firstName || 'you'
}
