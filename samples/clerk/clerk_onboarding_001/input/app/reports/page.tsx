export default function ReportsPage() {
  return <h1>Reports</h1>
}
