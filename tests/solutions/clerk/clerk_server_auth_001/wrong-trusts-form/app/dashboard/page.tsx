import { auth, currentUser } from '@clerk/nextjs/server'
import { notesOf } from '@/lib/notes'

export default async function DashboardPage() {
  const { userId, redirectToSignIn } = await auth()
  if (!userId) return redirectToSignIn()

  const [user, notes] = await Promise.all([currentUser(), notesOf(userId)])
  return (
    <>
      <h1>Welcome, {user?.firstName}</h1>
      <ul>
        {notes.map((note) => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
    </>
  )
}
