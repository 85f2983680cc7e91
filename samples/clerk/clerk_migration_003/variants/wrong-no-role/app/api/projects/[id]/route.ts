// Wrong: loses the role on the way: only the owner may remove a project.
import { auth } from '@clerk/nextjs/server'
import { findVisible, removeProject } from '@/lib/projects'

export async function DELETE(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { userId, orgId } = await auth()
  if (!userId) return Response.json({ error: 'Sign in first.' }, { status: 401 })

  const project = await findVisible((await params).id, userId, orgId ?? null)
  if (!project) return Response.json({ error: 'There is no such project.' }, { status: 404 })
  if (project.ownerId !== userId) {
    return Response.json({ error: 'Only its owner or an administrator removes a project.' }, { status: 403 })
  }
  await removeProject(project.id)
  return new Response(null, { status: 204 })
}
