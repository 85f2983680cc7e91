// Wrong: breaks where a body isn't JSON, which Next.js refused before.
import { auth } from '@clerk/nextjs/server'
import { addProject, visibleProjects } from '@/lib/projects'

export async function GET(): Promise<Response> {
  const { userId, orgId } = await auth()
  if (!userId) return Response.json({ error: 'Sign in first.' }, { status: 401 })
  return Response.json({ projects: await visibleProjects(userId, orgId ?? null) })
}

export async function POST(request: Request): Promise<Response> {
  const { userId, orgId } = await auth()
  if (!userId) return Response.json({ error: 'Sign in first.' }, { status: 401 })

  const body = await request.json()
  const title = typeof body?.title === 'string' ? body.title.trim() : ''
  if (title === '') return Response.json({ error: 'A project needs a title.' }, { status: 400 })
  const project = await addProject({ title, ownerId: userId, organizationId: orgId ?? null })
  return Response.json(project, { status: 201, headers: { location: `/projects/${project.id}` } })
}
