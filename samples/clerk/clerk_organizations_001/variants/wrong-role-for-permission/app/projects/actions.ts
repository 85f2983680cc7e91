// Wrong: takes the role org:admin for every permission.
'use server'

import { auth } from '@clerk/nextjs/server'
import { revalidatePath } from 'next/cache'
import { findProject, setArchived } from '@/lib/projects'

export type ArchiveResult = { ok: true } | { ok: false; reason: 'signed-out' | 'not-found' | 'forbidden' }

export async function archiveProject(id: string): Promise<ArchiveResult> {
  const { userId, orgId, has } = await auth()
  if (!userId) return { ok: false, reason: 'signed-out' }

  const project = await findProject(id)
  if (!project || project.orgId !== orgId) return { ok: false, reason: 'not-found' }

  const isOwn = project.createdBy === userId && has({ permission: 'org:projects:create' })
  if (!isOwn && !has({ role: 'org:admin' })) return { ok: false, reason: 'forbidden' }

  await setArchived(id)
  revalidatePath('/projects')
  return { ok: true }
}
