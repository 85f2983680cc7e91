// TODO: an API for the signed-in user. Every answer is JSON; an error is { "error": string }.
//
// GET /api/me
//   401  nobody is signed in
//   200  { id, email, firstName, lastName, nickname } and no other key. The e-mail address is the
//        primary one; the nickname comes from the user's public metadata, null if there is none.
//   502  Clerk's API doesn't answer properly
//
// PATCH /api/me with the JSON body { "nickname": string }
//   401  nobody is signed in
//   400  the body isn't JSON, or the nickname isn't a string of 1 to 30 characters
//        (not counting blanks at its ends)
//   200  { "nickname": string }, after saving it, without blanks at its ends, as "nickname" in the
//        user's public metadata at Clerk. Other keys of the public metadata stay as they are.
//   502  Clerk's API doesn't answer properly
export async function GET(): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}

export async function PATCH(request: Request): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}
