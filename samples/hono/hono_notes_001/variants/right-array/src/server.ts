import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

type Fields = { title: string; body: string; tags: string[] }
type Note = Fields & { id: number; version: number }

let list: Note[] = []
let counter = 1

function stop(status: ContentfulStatusCode, message: string): never {
  throw new HTTPException(status, { message })
}

function find(id: string): Note {
  return list.find((note) => String(note.id) === id) ?? stop(404, 'no such note')
}

async function text(request: Request): Promise<string> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength > 1048576) stop(413, 'too large')
  return new TextDecoder().decode(bytes)
}

function fields(source: string): Fields {
  let data: any
  try {
    data = JSON.parse(source)
  } catch {
    stop(400, 'JSON expected')
  }
  if (data?.constructor !== Object) stop(400, 'object expected')
  const { title, body, tags, ...rest } = data
  if (Object.keys(rest).length > 0) stop(400, 'unexpected keys')
  if (typeof title !== 'string' || title.trim() === '') stop(400, 'title expected')
  if (body !== undefined && typeof body !== 'string') stop(400, 'body must be text')
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((t) => typeof t === 'string'))) stop(400, 'tags')
  return { title, body: body ?? '', tags: (tags ?? []).filter((t: string, i: number, all: string[]) => all.indexOf(t) === i) }
}

function number(source: string | undefined, fallback: number): number {
  if (source === undefined) return fallback
  return /^[0-9]+$/.test(source) ? parseInt(source, 10) : stop(400, 'number expected')
}

const etag = (note: Note) => JSON.stringify(String(note.version))
const notes = new Hono()
  .post('/', async (c) => {
    const given = fields(await text(c.req.raw))
    const note = { id: counter++, ...given, version: 1 }
    list.push(note)
    c.header('Location', `/notes/${note.id}`)
    return c.json(note, 201)
  })
  .get('/', (c) => {
    const { tag, limit, after } = c.req.query()
    const count = number(limit, 20)
    if (count < 1 || count > 100) stop(400, 'limit')
    const start = number(after, 0)
    const rest = list.filter((n) => n.id > start).filter((n) => tag === undefined || n.tags.indexOf(tag) >= 0)
    const page = rest.slice(0, count)
    return c.json({ notes: page, next: rest.length > page.length ? page.at(-1)!.id : null })
  })
  .get('/:id', (c) => {
    const note = find(c.req.param('id'))
    c.header('ETag', etag(note))
    return c.json(note)
  })
  .put('/:id', async (c) => {
    const source = await text(c.req.raw)
    const note = find(c.req.param('id'))
    const match = c.req.header('if-match') ?? stop(428, 'If-Match needed')
    if (match !== etag(note)) stop(412, 'changed meanwhile')
    Object.assign(note, fields(source))
    note.version++
    c.header('ETag', etag(note))
    return c.json(note)
  })
  .delete('/:id', (c) => {
    const note = find(c.req.param('id'))
    list = list.filter((other) => other !== note)
    return c.body(null, 204)
  })

const app = new Hono().route('/notes', notes)
app.notFound((c) => c.json({ error: 'unknown path' }, 404))
app.onError((error, c) => {
  const status = error instanceof HTTPException ? error.status : 500
  return c.json({ error: error.message }, status)
})

createServer(getRequestListener(app.fetch)).listen(Number(process.env.PORT), '127.0.0.1')
