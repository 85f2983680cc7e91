import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'

const LIFETIME_SECONDS = 300

/** A JWT that says who may do what, signed with the key ring's current key. */
export async function issue(ring, { issuer, subject, audience, scopes }) {
  const { kid, privateKey } = ring.current()
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .setJti(randomUUID())
    .sign(privateKey)
}
