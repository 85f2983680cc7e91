import type { User } from '@clerk/nextjs/server'

export interface Listed {
  id: string
  name: string
  email: string | null
  lastActive: string | null
}

export function listed(user: User): Listed {
  return {
    id: user.id,
    name: [user.firstName, user.lastName].filter(Boolean).join(' '),
    email: user.primaryEmailAddress?.emailAddress ?? null,
    lastActive: user.lastActiveAt === null ? null : new Date(user.lastActiveAt).toISOString(),
  }
}
