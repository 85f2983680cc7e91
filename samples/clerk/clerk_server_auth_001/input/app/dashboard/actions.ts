'use server'

import type { Note } from '@/lib/notes'

export type NoteResult = { ok: true; note: Note } | { ok: false; error: string }

// TODO: save the form's field "text" as a note of the signed-in user.
//   signed out: { ok: false, error }, and nothing is saved
//   blank text: { ok: false, error }, and nothing is saved
//   otherwise:  { ok: true, note }, the text without blanks at its ends
// The owner is always the user of the session, whatever else the form may contain.
export async function createNote(formData: FormData): Promise<NoteResult> {
  return { ok: false, error: 'Not implemented' }
}
