import type { NextApiRequest, NextApiResponse } from 'next'
import { getAuth } from '@clerk/nextjs/server'
import { findVisible, removeProject } from '@/lib/projects'

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  if (req.method !== 'DELETE') return res.status(405).end()

  const { userId, orgId, has } = getAuth(req)
  if (!userId) return res.status(401).json({ error: 'Sign in first.' })
  const project = await findVisible(String(req.query.id), userId, orgId ?? null)
  if (!project) return res.status(404).json({ error: 'There is no such project.' })
  if (project.ownerId !== userId && !has({ role: 'org:admin' })) {
    return res.status(403).json({ error: 'Only its owner or an administrator removes a project.' })
  }
  await removeProject(project.id)
  return res.status(204).end()
}
