// Wrong: relies on the middleware, which protects nothing, and shows an empty dashboard.
import { currentUser } from '@clerk/nextjs/server'
import { notesOf } from '@/lib/notes'

export default async function DashboardPage() {
  const user = await currentUser()
  const notes = user ? await notesOf(user.id) : []
  return (
    <>
      <h1>Welcome, {user?.firstName ?? 'guest'}</h1>
      <ul>
        {notes.map((note) => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
    </>
  )
}
