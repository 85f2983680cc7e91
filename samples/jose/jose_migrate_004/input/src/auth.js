import { errors, JWK, JWKS, JWT } from 'jose'

// Written for jose 2, where all of this happened at once. From now on each of these functions gives a promise.

const ISSUER = 'https://login.example.test'

/**
 * The keys that tokens may be signed with; the first one signs. jose 2 gave each key its thumbprint (RFC 7638,
 * SHA-256) as `kid`, and the tokens and services out there count on that.
 *
 * @param {string[]} pems EC private keys on P-256 (PKCS #8), newest first
 */
export function openKeys(pems) {
  return new JWKS.KeyStore(pems.map((pem) => JWK.asKey(pem, { use: 'sig', alg: 'ES256' })))
}

/** What other services check our tokens with: { keys: [{ kty, crv, x, y, kid, use, alg }, …] }, without private parts. */
export function publicKeys(keys) {
  return keys.toJWKS()
}

/**
 * A token for somebody who signed in: iss, aud, sub, iat, exp (two hours from now) and roles. jose 2 put `alg` and
 * `kid` into its header, and the time into `iat`, without being asked to.
 */
export function signIn(keys, { subject, roles }, audience) {
  return JWT.sign({ roles }, keys.all()[0], { subject, audience, issuer: ISSUER, expiresIn: '2 hours' })
}

/**
 * Whose token it is: { subject, roles }, { expired: true } if it is good but for its `exp`, or null for everything
 * else: another issuer, audience, algorithm or key, a token more than a day old by its `iat`, no token at all.
 *
 * Our first release wrote tokens without a `kid`. They are still out there; jose 2 tried every key on them.
 */
export function whoIs(keys, token, audience) {
  const expectations = { audience, issuer: ISSUER, algorithms: ['ES256'], clockTolerance: '10s', maxTokenAge: '1 day' }
  try {
    const { sub, roles } = JWT.verify(token, keys, expectations)
    return { subject: sub, roles }
  } catch (error) {
    if (error instanceof errors.JWTExpired && error.claim === 'exp') return { expired: true }
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
