import { errors, JWE, JWK } from 'jose'

// Written for jose 2. From now on both functions give promises. Invitations that were sent before must still open.

const keyOf = (secret) => JWK.asKey(Buffer.from(secret, 'base64url'))

/**
 * An invitation for a link: the data as JSON in a compact JWE ("dir", "A256GCM"). It does not expire.
 *
 * @param {string} secret 32 bytes as base64url
 */
export function invite(secret, data) {
  return JWE.encrypt(JSON.stringify(data), keyOf(secret), { alg: 'dir', enc: 'A256GCM' })
}

/** What an invitation says; null for one that was changed, sealed with another secret or in another way, or is none. */
export function readInvite(secret, text) {
  try {
    return JSON.parse(JWE.decrypt(text, keyOf(secret), { algorithms: ['A256GCM', 'dir'] }).toString())
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
