// Wrong: accepts tokens that were issued for another audience.
import { createRemoteJWKSet, errors, importPKCS8, jwtVerify, SignJWT } from 'jose'

const ALGORITHM = 'ES256'

/** Says why a token was not accepted. */
export class TokenError extends Error {
  /** @param {'expired' | 'invalid' | 'unavailable'} code */
  constructor(code, options) {
    super(`token ${code}`, options)
    this.code = code
  }
}

/**
 * A signed JWT (ES256) for a user.
 *
 * @param {{ subject: string, roles: string[] }} user
 * @param {{ privateKey: string, keyId: string, issuer: string, audience: string, lifetimeSeconds: number }} options
 *   privateKey: PEM, PKCS #8
 * @returns {Promise<string>}
 */
export async function issueToken({ subject, roles }, { privateKey, keyId, issuer, audience, lifetimeSeconds }) {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ roles })
    .setProtectedHeader({ alg: ALGORITHM, kid: keyId })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(await importPKCS8(privateKey, ALGORITHM))
}

/**
 * A function that checks tokens against the keys published at `jwksUrl`.
 *
 * @param {{ jwksUrl: string, issuer: string, audience: string }} options
 * @returns {(token: string) => Promise<{ subject: string, roles: string[] }>}
 */
export function createVerifier({ jwksUrl, issuer, audience }) {
  const keys = createRemoteJWKSet(new URL(jwksUrl))
  const expectations = { issuer, algorithms: [ALGORITHM], requiredClaims: ['exp', 'sub'] }

  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, expectations)
      return { subject: payload.sub, roles: payload.roles ?? [] }
    } catch (error) {
      throw new TokenError(reasonFor(error), { cause: error })
    }
  }
}

function reasonFor(error) {
  if (error instanceof errors.JWTExpired) return 'expired'
  // jose gives its plain error, or the one of fetch, when it can't get the key set.
  const unavailable = !(error instanceof errors.JOSEError) || ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT'].includes(error.code)
  return unavailable ? 'unavailable' : 'invalid'
}
