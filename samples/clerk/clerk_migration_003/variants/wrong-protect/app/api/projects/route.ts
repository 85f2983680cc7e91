// Wrong: auth.protect() answers with 404 without JSON.
import { auth } from '@clerk/nextjs/server'
import { addProject, visibleProjects } from '@/lib/projects'

export async function GET(): Promise<Response> {
  const { userId, orgId } = await auth.protect()
  return Response.json({ projects: await visibleProjects(userId, orgId ?? null) })
}

export async function POST(request: Request): Promise<Response> {
  const { userId, orgId } = await auth.protect()

  // No longer read by Next.js: a body that isn't JSON is refused here.
  const body = await request.json().catch(() => null)
  const title = typeof body?.title === 'string' ? body.title.trim() : ''
  if (title === '') return Response.json({ error: 'A project needs a title.' }, { status: 400 })
  const project = await addProject({ title, ownerId: userId, organizationId: orgId ?? null })
  return Response.json(project, { status: 201, headers: { location: `/projects/${project.id}` } })
}
