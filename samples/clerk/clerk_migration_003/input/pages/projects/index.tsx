import type { GetServerSideProps } from 'next'
import Link from 'next/link'
import { buildClerkProps, clerkClient, getAuth } from '@clerk/nextjs/server'
import { type Project, visibleProjects } from '@/lib/projects'

interface Props {
  name: string
  projects: Project[]
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, query, resolvedUrl }) => {
  const { userId, orgId } = getAuth(req)
  if (!userId) {
    return { redirect: { destination: `/sign-in?redirect_url=${encodeURIComponent(resolvedUrl)}`, permanent: false } }
  }
  const client = await clerkClient()
  const user = await client.users.getUser(userId)
  const archived = query.archived === 'yes'
  const projects = (await visibleProjects(userId, orgId ?? null)).filter((project) => project.archived === archived)
  return { props: { name: user.firstName ?? 'you', projects, ...buildClerkProps(req) } }
}

export default function ProjectsPage({ name, projects }: Props) {
  return (
    <>
      <h1>{`Projects of ${name}`}</h1>
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
