import { auth, currentUser } from '@clerk/nextjs/server'

export default async function ProfilePage() {
  const { orgRole, redirectToSignIn } = await auth()
  const user = await currentUser()
  if (!user) return redirectToSignIn({ returnBackUrl: '/profile?welcome=back' })

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
