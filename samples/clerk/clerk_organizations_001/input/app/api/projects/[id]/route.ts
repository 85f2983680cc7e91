interface Context {
  params: Promise<{ id: string }>
}

// TODO: DELETE /api/projects/{id} removes a project of the active organisation for good. That is for
// members with the role org:admin only, whatever permissions others have.
//   401, 403  as in /api/projects, with { "error": string }
//   404       { "error": string }: the active organisation has no such project
//   204       removed, without a body
export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}
