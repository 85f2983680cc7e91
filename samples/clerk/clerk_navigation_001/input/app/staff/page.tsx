// TODO: protect this page as app/workspace/billing/page.tsx, for those who may see its own link.
export default function StaffPage() {
  return <h1>Back office</h1>
}
