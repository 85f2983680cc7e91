export default function HomePage() {
  return <h1>Plan together</h1>
}
