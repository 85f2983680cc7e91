// Wrong: jose sets no kid of its own accord any more.
import { createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint, createLocalJWKSet, errors, exportJWK, importPKCS8, jwtVerify, SignJWT } from 'jose'

const ISSUER = 'https://login.example.test'
const ALGORITHM = 'ES256'

/**
 * The keys that tokens may be signed with; the first one signs. A key's `kid` is its thumbprint.
 *
 * @param {string[]} pems EC private keys on P-256 (PKCS #8), newest first
 */
export async function openKeys(pems) {
  const published = await Promise.all(pems.map(publishedKey))
  return { published, kid: published[0].kid, privateKey: await importPKCS8(pems[0], ALGORITHM) }
}

async function publishedKey(pem) {
  const { kty, crv, x, y } = await exportJWK(createPublicKey(pem))
  return { kty, crv, x, y, kid: await calculateJwkThumbprint({ kty, crv, x, y }), use: 'sig', alg: ALGORITHM }
}

/** What other services check our tokens with. */
export async function publicKeys({ published }) {
  return { keys: published }
}

/** A token for somebody who signed in. */
export async function signIn({ kid, privateKey }, { subject, roles }, audience) {
  return new SignJWT({ roles })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('2 hours')
    .sign(privateKey)
}

/** Whose token it is. */
export async function whoIs({ published }, token, audience) {
  const expectations = { audience, issuer: ISSUER, algorithms: [ALGORITHM], clockTolerance: '10s', maxTokenAge: '1 day' }
  try {
    const { sub, roles } = (await verified(token, createLocalJWKSet({ keys: published }), expectations)).payload
    return { subject: sub, roles }
  } catch (error) {
    if (error instanceof errors.JWTExpired && error.claim === 'exp') return { expired: true }
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** A token without a `kid` may be signed with any of the keys: jose leaves it to us to try them. */
async function verified(token, keys, expectations) {
  try {
    return await jwtVerify(token, keys, expectations)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, expectations)
      } catch (refusal) {
        if (!(refusal instanceof errors.JWSSignatureVerificationFailed)) throw refusal
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}
