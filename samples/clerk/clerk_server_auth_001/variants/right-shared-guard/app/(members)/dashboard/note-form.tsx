'use client'

import { useActionState } from 'react'
import { useUser } from '@clerk/nextjs'
import { createNote, type NoteResult } from './actions'

export function NoteForm() {
  const { user } = useUser()
  const [result, action] = useActionState((_: NoteResult | null, form: FormData) => createNote(form), null)
  return (
    <form action={action}>
      <input name="text" aria-label={`New note${user ? ` by ${user.firstName}` : ''}`} />
      <button>Save</button>
      {result && !result.ok && <p role="alert">{result.error}</p>}
    </form>
  )
}
