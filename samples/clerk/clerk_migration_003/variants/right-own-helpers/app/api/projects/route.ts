import { forUsers, refuse } from '@/lib/answers'
import { addProject, visibleProjects } from '@/lib/projects'

export const GET = forUsers(async (_, { id, organization }) => {
  return Response.json({ projects: await visibleProjects(id, organization) })
})

export const POST = forUsers(async (request, viewer) => {
  let body: { title?: unknown } | null
  try {
    body = JSON.parse(await request.text())
  } catch {
    return refuse(400, 'Invalid JSON')
  }
  const title = String(typeof body?.title === 'string' ? body.title : '').trim()
  if (!title) return refuse(400, 'A project needs a title.')
  const project = await addProject({ title, ownerId: viewer.id, organizationId: viewer.organization })
  const response = Response.json(project, { status: 201 })
  response.headers.set('Location', '/projects/' + project.id)
  return response
})
