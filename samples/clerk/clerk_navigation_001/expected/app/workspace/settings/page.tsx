import { onlyForThoseWhoSee } from '@/lib/only-for'

export default async function SettingsPage() {
  await onlyForThoseWhoSee('/workspace/settings')
  return <h1>Settings of the organisation</h1>
}
