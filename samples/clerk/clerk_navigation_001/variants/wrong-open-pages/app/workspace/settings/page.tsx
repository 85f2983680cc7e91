// Wrong: asks for a session only, and relies on the link not being shown.
import { auth } from '@clerk/nextjs/server'

export default async function SettingsPage() {
  await auth.protect()
  return <h1>Settings of the organisation</h1>
}
