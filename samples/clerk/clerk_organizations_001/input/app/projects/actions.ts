'use server'

export type ArchiveResult = { ok: true } | { ok: false; reason: 'signed-out' | 'not-found' | 'forbidden' }

// TODO: archive a project (setArchived). It never throws; otherwise nothing changes, and the reason is
//   signed-out  nobody is signed in
//   not-found   the active organisation has no such project, or no organisation is active
//   forbidden   the user has neither the permission org:projects:archive, nor created the project and
//               still has the permission org:projects:create
// in this order.
export async function archiveProject(id: string): Promise<ArchiveResult> {
  return { ok: false, reason: 'forbidden' }
}
