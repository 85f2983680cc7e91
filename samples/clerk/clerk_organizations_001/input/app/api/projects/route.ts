// TODO: projects of the active organisation. Every answer is JSON; an error is { "error": string }.
//   401  nobody is signed in
//   403  no organisation is active, or the permission is missing there
// in this order, before anything else.
//
// GET /api/projects, permission org:projects:read
//   200  [{ id, name, archived }, ...], no other keys, in the order of lib/projects.ts
//
// POST /api/projects with the body { "name": string }, permission org:projects:create
//   400  the body isn't JSON, or the name isn't a text of 1 to 60 characters, not counting blanks
//        at its ends
//   201  { id, name, archived } of the new project, its name without blanks at its ends. Its
//        organisation and its creator are those of the session, whatever else the body says.
export async function GET(): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}

export async function POST(request: Request): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}
