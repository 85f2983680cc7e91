// Wrong: redirect('/sign-in') instead of redirectToSignIn(), so nobody comes back.
import { auth, currentUser } from '@clerk/nextjs/server'
import { redirect } from 'next/navigation'

export default async function ProfilePage() {
  const { orgRole } = await auth()
  const user = await currentUser()
  if (!user) redirect('/sign-in')

  return (
    <>
      <h1>
        {user.firstName} {user.lastName}
      </h1>
      <p>{orgRole === 'org:admin' ? 'Administrator' : orgRole === 'org:member' ? 'Member' : 'No organisation'}</p>
      <p>Plan: {String(user.publicMetadata.plan ?? 'free')}</p>
    </>
  )
}
