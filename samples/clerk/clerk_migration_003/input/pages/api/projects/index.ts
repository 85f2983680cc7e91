import type { NextApiRequest, NextApiResponse } from 'next'
import { getAuth } from '@clerk/nextjs/server'
import { addProject, visibleProjects } from '@/lib/projects'

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  if (req.method !== 'GET' && req.method !== 'POST') return res.status(405).end()

  const { userId, orgId } = getAuth(req)
  if (!userId) return res.status(401).json({ error: 'Sign in first.' })
  const organizationId = orgId ?? null
  if (req.method === 'GET') return res.status(200).json({ projects: await visibleProjects(userId, organizationId) })

  // Next.js has answered with 400 already if the body isn't JSON.
  const title = typeof req.body?.title === 'string' ? req.body.title.trim() : ''
  if (title === '') return res.status(400).json({ error: 'A project needs a title.' })
  const project = await addProject({ title, ownerId: userId, organizationId })
  res.setHeader('Location', `/projects/${project.id}`)
  return res.status(201).json(project)
}
