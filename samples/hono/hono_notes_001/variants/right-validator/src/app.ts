import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { bodyLimit } from 'hono/body-limit'

interface Content {
  title: string
  body: string
  tags: string[]
}
interface Stored extends Content {
  id: number
  version: number
}
type Env = { Variables: { note: Stored; content: Content } }

const stored = new Map<string, Stored>()
let latest = 0

class Wrong extends Error {}
const must: (ok: boolean, why: string) => asserts ok = (ok, why) => {
  if (!ok) throw new Wrong(why)
}

function check(data: unknown): Content {
  must(typeof data === 'object' && data !== null && !Array.isArray(data), 'not an object')
  const content: Content = { title: '', body: '', tags: [] }
  for (const [key, value] of Object.entries(data)) {
    if (key === 'tags') {
      must(Array.isArray(value) && value.every((v) => typeof v === 'string'), 'tags')
      content.tags = Array.from(new Set<string>(value))
    } else {
      must((key === 'title' || key === 'body') && typeof value === 'string', key)
      content[key] = value
    }
  }
  must(content.title.trim().length > 0, 'title')
  return content
}

const existing = createMiddleware<Env>(async (c, next) => {
  const note = stored.get(c.req.param('id') ?? '')
  if (!note) return c.json({ error: 'not found' }, 404)
  c.set('note', note)
  await next()
})
const current = createMiddleware<Env>(async (c, next) => {
  const header = c.req.header('If-Match')
  if (header === undefined) return c.json({ error: 'precondition required' }, 428)
  if (header !== `"${c.get('note').version}"`) return c.json({ error: 'precondition failed' }, 412)
  await next()
})
const content = createMiddleware<Env>(async (c, next) => {
  try {
    c.set('content', check(await c.req.json()))
  } catch (error) {
    return c.json({ error: `bad note: ${(error as Error).message}` }, 400)
  }
  await next()
})

export const app = new Hono<Env>()
app.use('*', bodyLimit({ maxSize: 2 ** 20, onError: (c) => c.json({ error: 'payload too large' }, 413) }))
app.notFound((c) => c.json({ error: 'not found' }, 404))

app.post('/notes', content, (c) => {
  const note: Stored = { id: ++latest, version: 1, ...c.get('content') }
  stored.set(`${note.id}`, note)
  return c.json(note, 201, { location: `/notes/${note.id}` })
})
app.get('/notes', (c) => {
  const asked = { limit: '20', after: '0', ...c.req.query() } as { limit: string; after: string; tag?: string }
  const limit = Number(asked.limit)
  if (!/^\d+$/.test(asked.limit) || limit < 1 || limit > 100) return c.json({ error: 'limit' }, 400)
  if (!/^\d+$/.test(asked.after)) return c.json({ error: 'after' }, 400)
  const notes: Stored[] = []
  for (const note of stored.values()) {
    if (note.id <= Number(asked.after)) continue
    if (asked.tag !== undefined && !note.tags.includes(asked.tag)) continue
    if (notes.length === limit) return c.json({ notes, next: notes[limit - 1].id })
    notes.push(note)
  }
  return c.json({ notes, next: null })
})
app.get('/notes/:id', existing, (c) => c.json(c.get('note'), 200, { etag: `"${c.get('note').version}"` }))
app.put('/notes/:id', existing, current, content, (c) => {
  const { id, version } = c.get('note')
  const note: Stored = { id, version: version + 1, ...c.get('content') }
  stored.set(`${id}`, note)
  return c.json(note, 200, { etag: `"${note.version}"` })
})
app.delete('/notes/:id', existing, (c) => {
  stored.delete(`${c.get('note').id}`)
  return c.body(null, 204)
})
