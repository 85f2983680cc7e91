export default function HomePage() {
  return <h1>Profile service</h1>
}
