import { Suspense } from 'react'
import { redirect } from 'next/navigation'
import { notesOf } from '@/lib/notes'
import { firstNameOf, viewerId } from '@/lib/viewer'
import { NoteForm } from './note-form'

export default async function DashboardPage() {
  const userId = await viewerId()
  if (userId === null) redirect('/sign-in')
  return (
    <main>
      <h1>{`Welcome, ${await firstNameOf(userId)}`}</h1>
      <NoteForm />
      <Suspense fallback={<p>Loading…</p>}>
        <NoteList userId={userId} />
      </Suspense>
    </main>
  )
}

async function NoteList({ userId }: { userId: string }) {
  const notes = await notesOf(userId)
  return notes.length === 0 ? <p>No notes yet.</p> : <ol>{notes.map(({ id, text }) => <li key={id}>{text}</li>)}</ol>
}
