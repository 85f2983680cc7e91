export interface Note {
  id: number
  title: string
  body: string
  tags: string[]
  version: number
}

export type Draft = Pick<Note, 'title' | 'body' | 'tags'>

const KEYS = new Set(['title', 'body', 'tags'])
const isText = (value: unknown): value is string => typeof value === 'string'

/** What a request's JSON describes, or the reason why it describes no note. */
export function readDraft(value: unknown): Draft | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a note is a JSON object'
  const given = value as Record<string, unknown>
  const unknown = Object.keys(given).find((key) => !KEYS.has(key))
  if (unknown !== undefined) return `unknown key: ${unknown}`
  const { title, body = '', tags = [] } = given
  if (!isText(title) || !title.trim()) return 'title must be a text that is not blank'
  if (!isText(body)) return 'body must be a text'
  if (!Array.isArray(tags) || !tags.every(isText)) return 'tags must be a list of texts'
  return { title, body, tags: [...new Set(tags)] }
}

export class Notes {
  #notes = new Map<number, Note>()
  #last = 0

  add(draft: Draft): Note {
    const note = { id: ++this.#last, ...draft, version: 1 }
    this.#notes.set(note.id, note)
    return note
  }

  get(id: number): Note | undefined {
    return this.#notes.get(id)
  }

  replace(note: Note, draft: Draft): Note {
    const next = { id: note.id, ...draft, version: note.version + 1 }
    this.#notes.set(note.id, next)
    return next
  }

  remove(id: number): boolean {
    return this.#notes.delete(id)
  }

  /** Up to `limit` notes after the id `after`, and the id to go on from. */
  page(tag: string | undefined, after: number, limit: number): { notes: Note[]; next: number | null } {
    const all = [...this.#notes.values()].filter((n) => tag === undefined || n.tags.includes(tag))
    const found = all.slice(all.findIndex((n) => n.id === after) + 1)
    const notes = found.slice(0, limit)
    return { notes, next: found.length > limit ? notes[notes.length - 1].id : null }
  }
}
