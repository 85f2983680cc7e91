import type { GetServerSideProps } from 'next'
import { buildClerkProps, getAuth } from '@clerk/nextjs/server'
import { findVisible, type Project } from '@/lib/projects'

interface Props {
  project: Project
  mayRemove: boolean
}

export const getServerSideProps: GetServerSideProps<Props, { id: string }> = async ({ req, params, resolvedUrl }) => {
  const { userId, orgId, has } = getAuth(req)
  if (!userId) {
    return { redirect: { destination: `/sign-in?redirect_url=${encodeURIComponent(resolvedUrl)}`, permanent: false } }
  }
  const project = await findVisible(params!.id, userId, orgId ?? null)
  if (!project) return { notFound: true }
  const mayRemove = project.ownerId === userId || has({ role: 'org:admin' })
  return { props: { project, mayRemove, ...buildClerkProps(req) } }
}

export default function ProjectPage({ project, mayRemove }: Props) {
  return (
    <>
      <h1>{project.title}</h1>
      <p>{mayRemove ? 'You may remove this project.' : 'This project belongs to somebody else.'}</p>
    </>
  )
}
