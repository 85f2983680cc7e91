'use server'

import { type Note, saveNote } from '@/lib/notes'
import { viewerId } from '@/lib/viewer'

export type NoteResult = { ok: true; note: Note } | { ok: false; error: string }

export const createNote = async (formData: FormData): Promise<NoteResult> => {
  const owner = await viewerId()
  const text = formData.get('text')
  if (owner === null) return { ok: false, error: 'unauthenticated' }
  if (typeof text !== 'string' || !text.trim()) return { ok: false, error: 'empty' }
  return { ok: true, note: await saveNote(owner, text.trim()) }
}
