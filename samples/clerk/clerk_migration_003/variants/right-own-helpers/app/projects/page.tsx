import Link from 'next/link'
import { visibleProjects } from '@/lib/projects'
import { firstName, viewerOr } from '@/lib/viewer'

export default async function Page(props: { searchParams: Promise<{ archived?: string }> }) {
  const query = await props.searchParams
  const search = new URLSearchParams(query).toString()
  const viewer = await viewerOr(search ? `/projects?${search}` : '/projects')
  const [name, all] = await Promise.all([firstName(), visibleProjects(viewer.id, viewer.organization)])
  const shown = all.filter(({ archived }) => archived === (query.archived === 'yes'))
  return (
    <section>
      <h1>Projects of {name}</h1>
      {shown.length > 0 ? (
        shown.map((project) => (
          <p key={project.id}>
            <Link href={{ pathname: `/projects/${project.id}` }}>{project.title}</Link>
          </p>
        ))
      ) : (
        <p>Nothing here yet.</p>
      )}
    </section>
  )
}
