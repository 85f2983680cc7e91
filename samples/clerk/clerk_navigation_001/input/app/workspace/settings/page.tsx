// TODO: protect this page as app/workspace/billing/page.tsx, for those who may see its own link.
export default function SettingsPage() {
  return <h1>Settings of the organisation</h1>
}
