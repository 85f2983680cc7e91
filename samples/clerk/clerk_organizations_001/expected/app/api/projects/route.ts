import { memberWith, refuse } from '@/lib/access'
import { addProject, type Project, projectsOf } from '@/lib/projects'

const NAME_LENGTH = 60

export async function GET(): Promise<Response> {
  const member = await memberWith({ permission: 'org:projects:read' })
  if (member instanceof Response) return member
  return Response.json((await projectsOf(member.orgId)).map(shown))
}

export async function POST(request: Request): Promise<Response> {
  const member = await memberWith({ permission: 'org:projects:create' })
  if (member instanceof Response) return member

  const body = await request.json().catch(() => null)
  const name = typeof body?.name === 'string' ? body.name.trim() : ''
  if (name === '' || name.length > NAME_LENGTH) return refuse(400, `A name has 1 to ${NAME_LENGTH} characters.`)
  const project = await addProject({ orgId: member.orgId, createdBy: member.userId, name })
  return Response.json(shown(project), { status: 201 })
}

function shown({ id, name, archived }: Project) {
  return { id, name, archived }
}
