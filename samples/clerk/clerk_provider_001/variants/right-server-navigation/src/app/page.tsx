export default function HomePage() {
  return <h1>Notes for busy teams</h1>
}
