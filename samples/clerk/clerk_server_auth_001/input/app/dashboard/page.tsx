// TODO: a server component.
//   signed out: send the visitor to sign-in, on the server
//   signed in:  a heading "Welcome, <first name>" and the texts of the visitor's own notes
//               (see lib/notes.ts). The first name comes from Clerk's user, on the server.
export default async function DashboardPage() {
  return <h1>Welcome</h1>
}
