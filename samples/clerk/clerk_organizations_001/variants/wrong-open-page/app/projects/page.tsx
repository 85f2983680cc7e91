// Wrong: shows the page to everybody, with nothing on it for those who may not read.
import { auth } from '@clerk/nextjs/server'
import Link from 'next/link'
import { projectsOf } from '@/lib/projects'

export default async function ProjectsPage() {
  const { orgId, has } = await auth()
  const projects = orgId && has({ permission: 'org:projects:read' }) ? await projectsOf(orgId) : []
  return (
    <>
      <h1>Projects</h1>
      <ul>
        {projects.map(({ id, name, archived }) => (
          <li key={id}>
            {name} {archived && '(archived)'}
          </li>
        ))}
      </ul>
      {has({ permission: 'org:projects:create' }) && <Link href="/projects/new">New project</Link>}
    </>
  )
}
