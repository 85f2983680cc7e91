import { auth } from '@clerk/nextjs/server'
import { notFound } from 'next/navigation'
import { findVisible } from '@/lib/projects'

export default async function ProjectPage({ params }: { params: Promise<{ id: string }> }) {
  const { userId, orgId, has, redirectToSignIn } = await auth()
  if (!userId) return redirectToSignIn()

  const project = await findVisible((await params).id, userId, orgId ?? null)
  if (!project) notFound()
  const mayRemove = project.ownerId === userId || has({ role: 'org:admin' })
  return (
    <>
      <h1>{project.title}</h1>
      <p>{mayRemove ? 'You may remove this project.' : 'This project belongs to somebody else.'}</p>
    </>
  )
}
