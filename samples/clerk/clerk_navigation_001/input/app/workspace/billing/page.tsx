// TODO: a link that isn't shown protects nothing. This page is for those who may see its link in
// lib/links.ts. Signed-out visitors are sent to the sign-in page, others find nothing here (404).
export default function BillingPage() {
  return <h1>Billing of the organisation</h1>
}
