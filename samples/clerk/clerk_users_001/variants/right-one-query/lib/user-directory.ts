import type { User } from '@clerk/nextjs/server'

export type Listed = Record<'id' | 'name', string> & Record<'email' | 'lastActive', string | null>

export function listed({ id, firstName, lastName, lastActiveAt, ...user }: User): Listed {
  const email = user.emailAddresses.find((address) => address.id === user.primaryEmailAddressId)
  return {
    id,
    name: `${firstName ?? ''} ${lastName ?? ''}`.trim(),
    email: email ? email.emailAddress : null,
    lastActive: lastActiveAt ? new Date(lastActiveAt).toJSON() : null,
  }
}
