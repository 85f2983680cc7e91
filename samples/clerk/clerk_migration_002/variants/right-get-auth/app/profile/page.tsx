import { auth, type User } from '@clerk/nextjs/server'
import { clerk } from '@/lib/clerk'

const ROLES: Record<string, string> = { 'org:admin': 'Administrator', 'org:member': 'Member' }

export default async function ProfilePage() {
  const session = await auth()
  if (session.userId === null) session.redirectToSignIn({ returnBackUrl: '/profile?welcome=back' })
  const user = await clerk.users.getUser(session.userId!)
  return <Card user={user} role={ROLES[session.orgRole ?? ''] ?? 'No organisation'} />
}

function Card({ user, role }: { user: User; role: string }) {
  const plan = (user.publicMetadata.plan as string | undefined) ?? 'free'
  return (
    <article>
      <h1>{`${user.firstName} ${user.lastName}`}</h1>
      <ul>
        <li>{role}</li>
        <li>{`Plan: ${plan}`}</li>
      </ul>
    </article>
  )
}
