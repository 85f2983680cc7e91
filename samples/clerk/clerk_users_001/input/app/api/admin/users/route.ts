// TODO: GET /api/admin/users?search=&page=&size=&sort= lists the users of our Clerk application, for
// members with the role org:admin in the active organisation.
//
//   search  leaves those to whom Clerk's own search leads; missing or blank: all
//   page    1, 2, ...; missing: 1
//   size    users on a page, 1 to 100; missing: 20
//   sort    newest (created last comes first), active (active last comes first) or name (by last
//           name, from A on); missing: newest
//
//   401  nobody is signed in
//   403  the role is missing
//   400  one of the parameters is something else
//   200  { users, page, pages, total }: the page (lib/user-directory.ts), its number, how many pages
//        and how many users there are for this search. No users: 0 pages. A page behind the last: no
//        users on it.
//   503  Clerk has had too many calls (429). If it says when to come back, so does our header
//        Retry-After.
//   502  any other error of Clerk's API
// Every error is { "error": string }. What Clerk said of its error is not for our callers.
export async function GET(request: Request): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}
