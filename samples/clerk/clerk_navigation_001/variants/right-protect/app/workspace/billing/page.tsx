import { auth } from '@clerk/nextjs/server'

export default async function BillingPage() {
  await auth.protect({ permission: 'org:billing:manage' })
  return <h1>Billing of the organisation</h1>
}
