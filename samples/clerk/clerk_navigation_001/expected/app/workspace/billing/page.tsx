import { onlyForThoseWhoSee } from '@/lib/only-for'

export default async function BillingPage() {
  await onlyForThoseWhoSee('/workspace/billing')
  return <h1>Billing of the organisation</h1>
}
