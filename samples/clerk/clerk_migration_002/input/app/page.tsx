export default function HomePage() {
  return <h1>People of our company</h1>
}
