// Wrong: sends visitors to sign-in without the way back.
import Link from 'next/link'
import { auth, clerkClient } from '@clerk/nextjs/server'
import { redirect } from 'next/navigation'
import { visibleProjects } from '@/lib/projects'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ProjectsPage({ searchParams }: Props) {
  const { userId, orgId } = await auth()
  if (!userId) redirect('/sign-in')

  const client = await clerkClient()
  const user = await client.users.getUser(userId)
  const archived = (await searchParams).archived === 'yes'
  const projects = (await visibleProjects(userId, orgId ?? null)).filter((project) => project.archived === archived)
  return (
    <>
      <h1>{`Projects of ${user.firstName ?? 'you'}`}</h1>
      {projects.length === 0 && <p>Nothing here yet.</p>}
      <ul>
        {projects.map(({ id, title }) => (
          <li key={id}>
            <Link href={`/projects/${id}`}>{title}</Link>
          </li>
        ))}
      </ul>
    </>
  )
}
