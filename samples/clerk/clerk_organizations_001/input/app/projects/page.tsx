// TODO: a server component with the projects of the active organisation.
//   signed out: send the visitor to sign-in, on the server
//   without the permission org:projects:read, or without an active organisation: not found (404)
//   otherwise: the heading "Projects" and the names of all projects; "(archived)" stands behind the
//   name of an archived one. A link "New project" to /projects/new is there for those only who have the
//   permission org:projects:create.
export default async function ProjectsPage() {
  return <h1>Projects</h1>
}
