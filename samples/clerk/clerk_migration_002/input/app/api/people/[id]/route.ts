import { auth, clerkClient, isClerkAPIResponseError } from '@clerk/nextjs'

/** Name and primary e-mail address of any colleague. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { userId } = auth()
  if (!userId) return Response.json({ error: 'Unauthorized' }, { status: 401 })

  const { id } = await params
  try {
    const user = await clerkClient.users.getUser(id)
    const address = user.emailAddresses.find(({ id }) => id === user.primaryEmailAddressId)
    return Response.json({ id, name: `${user.firstName} ${user.lastName}`, email: address?.emailAddress ?? null })
  } catch (error) {
    const isUnknown = isClerkAPIResponseError(error) && error.status === 404
    if (isUnknown) return Response.json({ error: 'Nobody has this id' }, { status: 404 })
    return Response.json({ error: 'Clerk does not answer' }, { status: 502 })
  }
}
