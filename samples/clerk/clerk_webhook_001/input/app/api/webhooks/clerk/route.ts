// TODO: Clerk posts an event here whenever a user of ours changes. Every answer is JSON; an error is
// { "error": string }.
//
//   400  The signature is missing or wrong, or its time is more than five minutes old: headers
//        svix-id, svix-timestamp and svix-signature, secret CLERK_WEBHOOK_SIGNING_SECRET, over the
//        body exactly as it was sent. Nothing changes.
//   500  Something of ours failed, such as the mail service. Clerk sends the same delivery again,
//        which then has its full effect.
//   200  { "received": true } for all others, also where there is nothing to do.
//
// A delivery (svix-id) may come several times. Once it has been handled, it has no effect any more.
//
// user.created, user.updated
//   The user is stored (lib/user-store.ts): the primary e-mail address, or null without one; first
//   and last name joined by a blank, only the one if the other is missing, '' if both are.
//   Events may come late and in any order. One whose updated_at is smaller than what is stored does
//   not change what is stored. A user who was removed is never stored again.
// user.created
//   Afterwards the user gets a welcome (lib/mailer.ts) at the address that is now stored. None for
//   a user without an address, or who was removed.
// user.deleted
//   The user is removed.
// All other events have no effect.
export async function POST(request: Request): Promise<Response> {
  return Response.json({ error: 'Not implemented' }, { status: 501 })
}
