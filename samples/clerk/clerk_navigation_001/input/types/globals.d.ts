/** What our session tokens hold beside Clerk's own claims: the user's public metadata. */
interface CustomJwtSessionClaims {
  metadata?: { role?: string }
}
