/** Where projects are kept. Use it as it is. */
export interface Project {
  id: string
  title: string
  ownerId: string
  /** Null for a personal project. */
  organizationId: string | null
  archived: boolean
}

const projects: Project[] = [
  { id: 'p1', title: 'Engine', ownerId: 'user_ada', organizationId: null, archived: false },
  { id: 'p2', title: 'Punched cards', ownerId: 'user_ada', organizationId: null, archived: true },
  { id: 'p3', title: 'Gears', ownerId: 'user_ada', organizationId: 'org_acme', archived: false },
  { id: 'p4', title: 'Canteen garden', ownerId: 'user_bob', organizationId: 'org_acme', archived: false },
  { id: 'p5', title: 'Diary', ownerId: 'user_bob', organizationId: null, archived: false },
]

/** Of the active organisation, or the personal ones where none is active. */
export async function visibleProjects(userId: string, organizationId: string | null): Promise<Project[]> {
  return projects.filter((project) => isVisible(project, userId, organizationId))
}

export async function findVisible(id: string, userId: string, organizationId: string | null): Promise<Project | null> {
  return projects.find((project) => project.id === id && isVisible(project, userId, organizationId)) ?? null
}

export async function addProject(project: Omit<Project, 'id' | 'archived'>): Promise<Project> {
  const added = { ...project, id: `p${projects.length + 1}`, archived: false }
  projects.push(added)
  return added
}

export async function removeProject(id: string): Promise<void> {
  const place = projects.findIndex((project) => project.id === id)
  // A hole keeps the ids of those added later unique.
  if (place >= 0) projects[place] = { id: '', title: '', ownerId: '', organizationId: null, archived: true }
}

function isVisible(project: Project, userId: string, organizationId: string | null): boolean {
  if (organizationId) return project.organizationId === organizationId
  return project.organizationId === null && project.ownerId === userId
}
