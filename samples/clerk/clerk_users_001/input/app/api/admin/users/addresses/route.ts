// TODO: GET /api/admin/users/addresses is for the newsletter: the primary e-mail addresses of all users,
// however many there are, oldest user first. Users without an address are left out.
//   200                  { addresses: string[] }
//   401, 403, 502, 503   as in /api/admin/users
// Clerk gives at most 500 users in one answer.
export async function GET(): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}
