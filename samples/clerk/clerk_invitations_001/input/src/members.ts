/** Who belongs to an organisation, by Clerk's backend API. */
export interface Member {
  userId: string
  /** First and last name, as far as there are any; else the address. */
  name: string
  /** What Clerk calls the identifier, as it is. */
  email: string
  role: string
}

/**
 * All members, however many, in Clerk's order. What Clerk refuses is thrown as `explained` says.
 */
export async function members(organizationId: string): Promise<Member[]> {
  throw new Error('TODO')
}

/** How many members have each role: { "org:admin": 1, "org:member": 240 }. */
export async function roleCounts(organizationId: string): Promise<Record<string, number>> {
  throw new Error('TODO')
}
