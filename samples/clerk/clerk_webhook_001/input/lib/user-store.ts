/** Our copy of Clerk's users. It stands for a database; use it as it is. */
export interface StoredUser {
  id: string
  email: string | null
  name: string
  /** When the user changed at Clerk, in milliseconds: `updated_at` of the event. */
  updatedAt: number
}

const users = new Map<string, StoredUser>()
const removed = new Set<string>()

export async function findUser(id: string): Promise<StoredUser | null> {
  return users.get(id) ?? null
}

/** Stores a user, in place of what is there under this id. */
export async function putUser(user: StoredUser): Promise<void> {
  users.set(user.id, user)
}

export async function removeUser(id: string): Promise<void> {
  users.delete(id)
  removed.add(id)
}

/** Whether a user of this id was ever removed. */
export async function wasRemoved(id: string): Promise<boolean> {
  return removed.has(id)
}
