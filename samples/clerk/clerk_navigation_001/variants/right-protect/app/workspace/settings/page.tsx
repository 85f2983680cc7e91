import { auth } from '@clerk/nextjs/server'

export default async function SettingsPage() {
  await auth.protect((has) => has({ role: 'org:admin' }))
  return <h1>Settings of the organisation</h1>
}
