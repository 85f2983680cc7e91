// Wrong: takes the role org:admin for every permission.
import { auth } from '@clerk/nextjs/server'
import Link from 'next/link'
import { projectsOf } from '@/lib/projects'

export default async function ProjectsPage() {
  const { orgId, has } = await auth.protect({ permission: 'org:projects:read' })
  const projects = await projectsOf(orgId ?? '')
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
      {has({ role: 'org:admin' }) && <Link href="/projects/new">New project</Link>}
    </>
  )
}
