// Wrong: the invitation's header says how it is to be read.
import { base64url, compactDecrypt, CompactEncrypt, errors } from 'jose'

const HEADER = { alg: 'dir', enc: 'A256GCM' }

/**
 * An invitation for a link: the data as JSON in a compact JWE. It does not expire.
 *
 * @param {string} secret 32 bytes as base64url
 */
export async function invite(secret, data) {
  const text = new TextEncoder().encode(JSON.stringify(data))
  return new CompactEncrypt(text).setProtectedHeader(HEADER).encrypt(base64url.decode(secret))
}

/** What an invitation says; null for one that was changed, sealed with another secret or in another way, or is none. */
export async function readInvite(secret, text) {
  try {
    const { plaintext } = await compactDecrypt(text, base64url.decode(secret))
    return JSON.parse(new TextDecoder().decode(plaintext))
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
