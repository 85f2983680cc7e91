import { notFound } from 'next/navigation'
import { findVisible } from '@/lib/projects'
import { viewerOr } from '@/lib/viewer'

export default async function Page(props: { params: Promise<{ id: string }> }) {
  const { id } = await props.params
  const viewer = await viewerOr(`/projects/${id}`)
  const project = await findVisible(id, viewer.id, viewer.organization)
  if (project === null) return notFound()
  const own = viewer.isAdmin || viewer.id === project.ownerId
  return (
    <article>
      <h1>{project.title}</h1>
      {own ? <p>You may remove this project.</p> : <p>This project belongs to somebody else.</p>}
    </article>
  )
}
