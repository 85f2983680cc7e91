import { auth, currentUser, redirectToSignIn } from '@clerk/nextjs'

export default async function ProfilePage() {
  const user = await currentUser()
  if (!user) return redirectToSignIn({ returnBackUrl: '/profile?welcome=back' })

  const { orgRole } = auth()
  return (
    <>
      <h1>
        {user.firstName} {user.lastName}
      </h1>
      <p>{orgRole === 'admin' ? 'Administrator' : orgRole === 'basic_member' ? 'Member' : 'No organisation'}</p>
      <p>Plan: {String(user.publicMetadata.plan ?? 'free')}</p>
    </>
  )
}
