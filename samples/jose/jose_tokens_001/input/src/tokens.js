// TODO: implement issueToken and createVerifier with jose.

/** Says why a token was not accepted. */
export class TokenError extends Error {
  /** @param {'expired' | 'invalid' | 'unavailable'} code */
  constructor(code, options) {
    super(`token ${code}`, options)
    this.code = code
  }
}

/**
 * A signed JWT (ES256) for a user. Its header names the key (`kid`); its claims are `iss`, `aud`,
 * `sub`, `iat`, `exp` (now plus `lifetimeSeconds`) and `roles`.
 *
 * @param {{ subject: string, roles: string[] }} user
 * @param {{ privateKey: string, keyId: string, issuer: string, audience: string, lifetimeSeconds: number }} options
 *   privateKey: PEM, PKCS #8
 * @returns {Promise<string>}
 */
export async function issueToken(user, options) {
  throw new Error('Not implemented')
}

/**
 * A function that checks tokens against the keys published as a JSON Web Key Set at `jwksUrl`. The
 * keys are fetched when first needed and then kept: not once per token.
 *
 * The function gives the user of a good token. It throws a TokenError with the code
 *   "expired"      for a token that is good but for having expired,
 *   "unavailable"  if the key set can't be fetched (no connection, or a status other than 200),
 *   "invalid"      for anything else: a wrong signature, issuer or audience, an unknown key, an
 *                  algorithm other than ES256, a missing `exp` or `sub`, text that is no token.
 * A good token without `roles` gives an empty list of roles.
 *
 * @param {{ jwksUrl: string, issuer: string, audience: string }} options
 * @returns {(token: string) => Promise<{ subject: string, roles: string[] }>}
 */
export function createVerifier(options) {
  throw new Error('Not implemented')
}
