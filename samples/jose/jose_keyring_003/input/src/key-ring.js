// TODO: the keys that our service signs with.

/**
 * Key pairs for ES256. A key's id (`kid`) is its JWK thumbprint (RFC 7638, SHA-256). One key is current: new tokens
 * are signed with it. The others only remain so that tokens signed earlier can still be checked.
 *
 * @typedef {object} KeyRing
 * @property {() => Promise<string>} rotate makes a new key pair, which becomes the current one; its id
 * @property {(kid: string) => boolean} retire forgets a key; whether there was one. The current key stays:
 *   Error('The current key can not be retired.')
 * @property {() => { kid: string, privateKey: any }} current what to sign with
 * @property {() => { keys: object[] }} published the JSON Web Key Set for everybody, newest key first: each key has
 *   kty, crv, x, y, kid, alg ("ES256") and use ("sig"), and nothing else
 * @property {() => Promise<object>} saved all keys with their private parts, as plain JSON for our vault;
 *   `openKeyRing` makes the same key ring of it
 */

/** @returns {Promise<KeyRing>} with one new key */
export async function createKeyRing() {
  throw new Error('Not implemented')
}

/**
 * @param {object} saved what `saved()` gave, perhaps by way of JSON
 * @returns {Promise<KeyRing>}
 */
export async function openKeyRing(saved) {
  throw new Error('Not implemented')
}
