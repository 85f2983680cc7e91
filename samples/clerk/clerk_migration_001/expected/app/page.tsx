export default function HomePage() {
  return <h1>Workshop supplies</h1>
}
