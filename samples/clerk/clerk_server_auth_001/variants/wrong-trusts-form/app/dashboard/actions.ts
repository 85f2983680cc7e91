// Wrong: takes the owner from the form, so anybody can write into anybody's notes.
'use server'

import { auth } from '@clerk/nextjs/server'
import { revalidatePath } from 'next/cache'
import { type Note, saveNote } from '@/lib/notes'

export type NoteResult = { ok: true; note: Note } | { ok: false; error: string }

export async function createNote(formData: FormData): Promise<NoteResult> {
  const session = await auth()
  const userId = (formData.get('userId') as string | null) ?? session.userId
  if (!userId) return { ok: false, error: 'Sign in to save notes.' }

  const text = String(formData.get('text') ?? '').trim()
  if (text === '') return { ok: false, error: 'A note needs some text.' }

  const note = await saveNote(userId, text)
  revalidatePath('/dashboard')
  return { ok: true, note }
}
