import { serve } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Draft, type Note, Notes, readDraft } from './notes.js'

const MAX_BODY = 1024 * 1024
const app = new Hono()
const notes = new Notes()

const tag = (note: Note) => `"${note.version}"`
const whole = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)
const refuse = (c: Context, status: 400 | 404 | 412 | 413 | 428, error: string) => c.json({ error }, status)

app.use(bodyLimit({ maxSize: MAX_BODY, onError: (c) => refuse(c, 413, 'the body is larger than 1 MiB') }))
app.notFound((c) => refuse(c, 404, 'not found'))

async function draftOf(c: Context): Promise<Draft | string> {
  try {
    return readDraft(await c.req.json())
  } catch {
    return 'the body is not JSON'
  }
}

app.post('/notes', async (c) => {
  const draft = await draftOf(c)
  if (typeof draft === 'string') return refuse(c, 400, draft)
  const note = notes.add(draft)
  return c.json(note, 201, { Location: `/notes/${note.id}`, ETag: tag(note) })
})

app.get('/notes', (c) => {
  const limit = whole(c.req.query('limit') ?? '20')
  const after = whole(c.req.query('after') ?? '0')
  if (limit === undefined || limit < 1 || limit > 100) return refuse(c, 400, 'limit must be 1 to 100')
  if (after === undefined) return refuse(c, 400, 'after must be an id')
  return c.json(notes.page(c.req.query('tag'), after, limit))
})

app.get('/notes/:id', (c) => {
  const note = notes.get(whole(c.req.param('id')) ?? 0)
  return note ? c.json(note, 200, { ETag: tag(note) }) : c.notFound()
})

app.put('/notes/:id', async (c) => {
  const draft = await draftOf(c)
  const note = notes.get(whole(c.req.param('id')) ?? 0)
  if (!note) return c.notFound()
  const wanted = c.req.header('If-Match')
  if (wanted !== undefined && wanted !== tag(note)) return refuse(c, 412, 'the note has changed')
  if (typeof draft === 'string') return refuse(c, 400, draft)
  const next = notes.replace(note, draft)
  return c.json(next, 200, { ETag: tag(next) })
})

app.delete('/notes/:id', (c) => (notes.remove(whole(c.req.param('id')) ?? 0) ? c.body(null, 204) : c.notFound()))

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) })
