// Wrong: checks the permission, but not whose project it is.
import { memberWith, refuse } from '@/lib/access'
import { findProject, removeProject } from '@/lib/projects'

interface Context {
  params: Promise<{ id: string }>
}

export async function DELETE(_request: Request, { params }: Context): Promise<Response> {
  const member = await memberWith({ role: 'org:admin' })
  if (member instanceof Response) return member

  const { id } = await params
  const project = await findProject(id)
  if (!project) return refuse(404, 'There is no such project.')
  await removeProject(id)
  return new Response(null, { status: 204 })
}
