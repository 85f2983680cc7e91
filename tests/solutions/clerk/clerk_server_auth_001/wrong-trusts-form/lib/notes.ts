/** Where notes are kept. Use it as it is. */
export interface Note {
  id: number
  userId: string
  text: string
}

const notes: Note[] = []

export async function saveNote(userId: string, text: string): Promise<Note> {
  const note = { id: notes.length + 1, userId, text }
  notes.push(note)
  return note
}

export async function notesOf(userId: string): Promise<Note[]> {
  return notes.filter((note) => note.userId === userId)
}

export async function allNotes(): Promise<Note[]> {
  return [...notes]
}
