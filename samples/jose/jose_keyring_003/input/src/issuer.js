// TODO: tokens that say who may do what.

/**
 * A JWT, signed with the key ring's current key. Its header has alg, kid and the typ "at+jwt"; its claims are iss,
 * sub, aud, iat, exp (now plus 300 seconds), jti (a new UUID) and scope (the scopes, joined with blanks).
 *
 * @param {import('./key-ring.js').KeyRing} ring
 * @param {{ issuer: string, subject: string, audience: string, scopes: string[] }} grant
 * @returns {Promise<string>}
 */
export async function issue(ring, grant) {
  throw new Error('Not implemented')
}
