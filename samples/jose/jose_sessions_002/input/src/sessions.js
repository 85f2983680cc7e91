// TODO: keep sessions in encrypted cookies.

/**
 * Sessions that live in a cookie's value, encrypted for nobody but us.
 *
 * seal(data) gives a promise of a JWT in a compact JWE: algorithm "dir", encryption "A256GCM", and the `kid` of the
 * first key in its header. Its claims are iss, iat, exp (now plus maxAgeSeconds) and data.
 *
 * open(text) gives a promise of { data, renew }. Any of the keys may have sealed the session, its header says
 * which one. renew is true if the session should be sealed again: it was not sealed with the first key, or more than half
 * of the time between its iat and its exp is over.
 *
 * open gives null for whatever is no session of ours that is still good: expired, changed, sealed with an unknown key
 * or for another issuer, with any other algorithm or encryption, without iat or exp, no JWE at all, undefined
 * (there was no cookie). It never throws for what a browser could send.
 *
 * @param {object} options
 * @param {{ id: string, secret: string }[]} options.keys newest first; secret: 32 bytes as base64url. No keys, or a
 *   secret of another length: RangeError, at once
 * @param {string} options.issuer
 * @param {number} options.maxAgeSeconds
 * @returns {{ seal: (data: object) => Promise<string>,
 *   open: (text: string | undefined) => Promise<{ data: object, renew: boolean } | null> }}
 */
export function createSessions(options) {
  throw new Error('Not implemented')
}
