export default function DashboardPage() {
  return <h1>Your notes</h1>
}
