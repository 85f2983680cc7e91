// Wrong: asks for a session on every page, also on the one that was open to everybody.
import { auth } from '@clerk/nextjs/server'

export default async function HomePage() {
  await auth.protect()
  return <h1>Plan together</h1>
}
