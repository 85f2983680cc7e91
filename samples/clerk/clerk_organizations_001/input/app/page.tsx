export default function HomePage() {
  return <h1>Project planner</h1>
}
