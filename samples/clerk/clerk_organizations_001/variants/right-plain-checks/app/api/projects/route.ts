import { type NextRequest, NextResponse } from 'next/server'
import { addProject, type Project, projectsOf } from '@/lib/projects'
import { allowed, answered, Refusal } from '@/lib/viewer'

const visible = (project: Project) => ({ id: project.id, name: project.name, archived: project.archived })

export const GET = () =>
  answered(async () => {
    const { org } = await allowed((viewer) => viewer.may('read'))
    const projects = await projectsOf(org)
    return NextResponse.json(projects.map(visible))
  })

export const POST = (request: NextRequest) =>
  answered(async () => {
    const { id, org } = await allowed((viewer) => viewer.may('create'))
    let name: unknown
    try {
      name = JSON.parse(await request.text()).name
    } catch {
      throw new Refusal(400)
    }
    if (typeof name !== 'string' || !/^\s*\S(.{0,58}\S)?\s*$/.test(name)) throw new Refusal(400)
    const project = await addProject({ name: name.trim(), orgId: org, createdBy: id })
    return NextResponse.json(visible(project), { status: 201 })
  })
