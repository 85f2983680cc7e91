// TODO: check tokens in a service that only has the published keys.

/** Says why a token was refused. */
export class Refused extends Error {
  /** @param {'expired' | 'forbidden' | 'invalid' | 'no_keys'} code */
  constructor(code, options) {
    super(`refused: ${code}`, options)
    this.code = code
  }
}

/**
 * A function that checks tokens with published keys. `load` fetches the key set, as `published()` of the key ring
 * gives it.
 *
 * - It is called when the first token comes, and its key set is kept for all later ones.
 * - A token whose key is not in the kept set may be signed with a newer key: then, and only then, the set is loaded
 *   again, once for each such token. A key that is not in the new set counts no longer.
 * - If loading fails, the kept set stays in use. If there is none yet: "no_keys", and the next token tries again.
 * - Tokens that come at the same time share one call of `load`.
 *
 * The function gives { subject, scopes } or throws Refused:
 *
 *   "no_keys"    no key set could be loaded,
 *   "expired"    a token that is good but for its age; clocks may differ by 30 seconds,
 *   "forbidden"  a good token without the required scope,
 *   "invalid"    anything else: another issuer or audience, an unknown key, an algorithm other than ES256, a typ
 *                other than "at+jwt", a wrong signature, a missing exp, sub or scope, no token at all.
 *
 * @param {{ load: () => Promise<{ keys: object[] }>, issuer: string, audience: string }} options
 * @returns {(token: string, requiredScope?: string) => Promise<{ subject: string, scopes: string[] }>}
 */
export function createVerifier(options) {
  throw new Error('Not implemented')
}
