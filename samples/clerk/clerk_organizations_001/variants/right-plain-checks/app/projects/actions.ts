'use server'

import { projectsOf, setArchived } from '@/lib/projects'
import { viewer } from '@/lib/viewer'

type Reason = 'signed-out' | 'not-found' | 'forbidden'
export type ArchiveResult = { ok: true } | { ok: false; reason: Reason }

const no = (reason: Reason): ArchiveResult => ({ ok: false, reason })

export async function archiveProject(id: string): Promise<ArchiveResult> {
  const who = await viewer()
  if (who === null) return no('signed-out')
  const project = who.org && (await projectsOf(who.org)).find((candidate) => candidate.id === id)
  if (!project) return no('not-found')
  if (who.may('archive') || (project.createdBy === who.id && who.may('create'))) {
    await setArchived(id)
    return { ok: true }
  }
  return no('forbidden')
}
