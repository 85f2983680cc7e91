'use client'

// TODO: show who is signed in, with Clerk's hooks.
//   Clerk still loading: an element with role "status" and the text "Loading…", nothing else
//   signed out:          the text "You are signed out."
//   signed in:           a heading with the user's full name,
//                        the user's primary e-mail address,
//                        a button "Show plan" (see below),
//                        a button "Sign out" that ends the session through Clerk
//
// "Show plan" asks GET /api/plan, with the session token of Clerk in the header
// "Authorization: Bearer <token>", and shows "Plan: <plan>" from the JSON answer
// { "plan": string }. If the answer isn't a success or the request fails, it shows
// "Could not load the plan." in an element with role "alert" instead.
export function ProfileCard() {
  return <p>You are signed out.</p>
}
