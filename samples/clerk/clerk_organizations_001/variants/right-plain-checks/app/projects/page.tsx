import { notFound, redirect } from 'next/navigation'
import { NewProject } from '@/components/new-project'
import { projectsOf } from '@/lib/projects'
import { viewer } from '@/lib/viewer'

export default async function ProjectsPage() {
  const who = await viewer()
  if (!who) redirect('/sign-in')
  if (!who.org || !who.may('read')) notFound()
  return (
    <main>
      <h1>Projects</h1>
      {(await projectsOf(who.org)).map((project) => (
        <p key={project.id}>{project.archived ? `${project.name} (archived)` : project.name}</p>
      ))}
      <NewProject isShown={who.may('create')} />
    </main>
  )
}
