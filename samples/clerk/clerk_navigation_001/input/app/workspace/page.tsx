export default function WorkspacePage() {
  return <h1>Projects</h1>
}
