import { projectsOf, removeProject } from '@/lib/projects'
import { allowed, answered, Refusal } from '@/lib/viewer'

export function DELETE(_: Request, context: { params: Promise<{ id: string }> }) {
  return answered(async () => {
    const { org } = await allowed((viewer) => viewer.role === 'org:admin')
    const { id } = await context.params
    if (!(await projectsOf(org)).some((project) => project.id === id)) throw new Refusal(404)
    await removeProject(id)
    return new Response(null, { status: 204 })
  })
}
