/** Where projects are kept. It stands for a database; use it as it is. */
export interface Project {
  id: string
  /** The organisation that the project belongs to. */
  orgId: string
  name: string
  /** The user who created it. */
  createdBy: string
  archived: boolean
}

let count = 0
const projects: Project[] = []

export async function addProject(project: Pick<Project, 'orgId' | 'name' | 'createdBy'>): Promise<Project> {
  const added = { id: `p${++count}`, archived: false, ...project }
  projects.push(added)
  return added
}

export async function projectsOf(orgId: string): Promise<Project[]> {
  return projects.filter((project) => project.orgId === orgId)
}

/** A project of any organisation. */
export async function findProject(id: string): Promise<Project | null> {
  return projects.find((project) => project.id === id) ?? null
}

export async function setArchived(id: string): Promise<void> {
  for (const project of projects) if (project.id === id) project.archived = true
}

export async function removeProject(id: string): Promise<void> {
  const index = projects.findIndex((project) => project.id === id)
  if (index >= 0) projects.splice(index, 1)
}
