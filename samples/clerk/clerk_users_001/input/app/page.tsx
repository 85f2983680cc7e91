export default function HomePage() {
  return <h1>Administration</h1>
}
