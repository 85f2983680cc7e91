import { forUsers, refuse } from '@/lib/answers'
import { findVisible, removeProject } from '@/lib/projects'

type Context = { params: Promise<{ id: string }> }

export const DELETE = forUsers<Context>(async (_, viewer, { params }) => {
  const { id } = await params
  const project = await findVisible(id, viewer.id, viewer.organization)
  if (!project) return refuse(404, 'There is no such project.')
  if (!viewer.isAdmin && project.ownerId !== viewer.id) {
    return refuse(403, 'Only its owner or an administrator removes a project.')
  }
  await removeProject(id)
  return new Response(null, { status: 204 })
})
