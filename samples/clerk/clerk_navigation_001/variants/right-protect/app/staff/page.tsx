import { auth } from '@clerk/nextjs/server'
import { notFound, redirect } from 'next/navigation'

export default async function StaffPage() {
  const { sessionId, sessionClaims } = await auth()
  if (!sessionId) redirect('/sign-in?redirect_url=/staff')
  if (sessionClaims.metadata?.role !== 'staff') notFound()
  return <h1>Back office</h1>
}
