import * as jose from 'jose'

class Sessions {
  constructor(keys, issuer, maxAgeSeconds) {
    this.keys = keys
    this.issuer = issuer
    this.maxAgeSeconds = maxAgeSeconds
  }

  seal = async (data) => {
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iss: this.issuer, iat, exp: iat + this.maxAgeSeconds, data }
    return new jose.CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: this.keys[0].id, typ: 'JWT' })
      .encrypt(await jose.importJWK({ kty: 'oct', k: this.keys[0].secret }, 'dir'))
  }

  open = async (text) => {
    try {
      const { alg, enc, kid } = jose.decodeProtectedHeader(text)
      const index = this.keys.findIndex(({ id }) => id === kid)
      if (alg !== 'dir' || enc !== 'A256GCM' || index < 0) return null
      const { plaintext } = await jose.compactDecrypt(text, jose.base64url.decode(this.keys[index].secret))
      const { iss, iat, exp, data } = JSON.parse(new TextDecoder().decode(plaintext))
      const now = Date.now() / 1000
      if (iss !== this.issuer || !(iat > 0) || !(exp > now)) return null
      return { data, renew: index > 0 || now > (iat + exp) / 2 }
    } catch {
      return null
    }
  }
}

export function createSessions({ keys, issuer, maxAgeSeconds }) {
  const areGood = keys.every(({ secret }) => Buffer.from(secret, 'base64url').length === 32)
  if (!keys.length || !areGood) throw new RangeError('keys of 32 bytes are needed')
  return new Sessions(keys, issuer, maxAgeSeconds)
}
