// Wrong: the token's header says how it is to be read.
import { base64url, EncryptJWT, errors, jwtDecrypt } from 'jose'

const ALGORITHM = 'dir'
const ENCRYPTION = 'A256GCM'
const KEY_BYTES = 32

/** Sessions that live in a cookie's value, encrypted for nobody but us. */
export function createSessions({ keys, issuer, maxAgeSeconds }) {
  if (keys.length === 0) throw new RangeError('There must be a key to seal sessions with.')
  const secrets = new Map(keys.map(({ id, secret }) => [id, secretOf(id, secret)]))
  const newest = keys[0].id
  const expectations = {
    issuer,
    requiredClaims: ['iat', 'exp'],
  }

  async function seal(data) {
    const now = seconds()
    return new EncryptJWT({ data })
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: newest })
      .setIssuer(issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + maxAgeSeconds)
      .encrypt(secrets.get(newest))
  }

  async function open(text) {
    try {
      const { payload, protectedHeader } = await jwtDecrypt(text ?? '', keyOf, expectations)
      const isOld = seconds() - payload.iat > payload.exp - seconds()
      return { data: payload.data, renew: isOld || protectedHeader.kid !== newest }
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  function keyOf({ kid }) {
    const secret = secrets.get(kid)
    if (!secret) throw new errors.JWEDecryptionFailed()
    return secret
  }

  return { seal, open }
}

function secretOf(id, text) {
  const secret = base64url.decode(text)
  if (secret.length !== KEY_BYTES) throw new RangeError(`The secret ${id} does not have ${KEY_BYTES} bytes.`)
  return secret
}

function seconds() {
  return Math.floor(Date.now() / 1000)
}
