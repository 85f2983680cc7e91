import { onlyForThoseWhoSee } from '@/lib/only-for'

export default async function StaffPage() {
  await onlyForThoseWhoSee('/staff')
  return <h1>Back office</h1>
}
