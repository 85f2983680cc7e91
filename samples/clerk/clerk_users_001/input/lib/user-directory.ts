import type { User } from '@clerk/nextjs/server'

export interface Listed {
  id: string
  name: string
  email: string | null
  lastActive: string | null
}

// TODO: what our administration shows of a user of Clerk's.
//   name        first and last name joined by a blank; the one that there is; '' without both
//   email       the primary e-mail address, or null
//   lastActive  when the user was last active, such as "2024-05-01T12:00:00.000Z", or null
export function listed(user: User): Listed {
  throw new Error('Not implemented')
}
