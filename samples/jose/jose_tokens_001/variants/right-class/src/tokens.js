import { createPrivateKey } from 'node:crypto'
import * as jose from 'jose'

export class TokenError extends Error {
  name = 'TokenError'
  constructor(code, options) {
    super(`The token is ${code}.`, options)
    this.code = code
  }
}

export const issueToken = (user, options) => {
  const claims = { roles: user.roles, sub: user.subject, iss: options.issuer, aud: [options.audience] }
  return new jose.SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: options.keyId, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${options.lifetimeSeconds} seconds`)
    .sign(createPrivateKey(options.privateKey))
}

class Verifier {
  #keySet
  #expected

  constructor({ jwksUrl, issuer, audience }) {
    this.#keySet = jose.createRemoteJWKSet(new URL(jwksUrl), { cooldownDuration: 60_000 })
    this.#expected = { issuer, audience, algorithms: ['ES256'] }
  }

  async verify(token) {
    const key = async (header, input) => {
      try {
        return await this.#keySet(header, input)
      } catch (cause) {
        const unknown = cause instanceof jose.errors.JWKSNoMatchingKey || cause instanceof jose.errors.JOSENotSupported
        throw new TokenError(unknown ? 'invalid' : 'unavailable', { cause })
      }
    }
    try {
      const { payload } = await jose.jwtVerify(token, key, this.#expected)
      if (!payload.exp || !payload.sub) throw new TokenError('invalid')
      return { subject: payload.sub, roles: Array.isArray(payload.roles) ? payload.roles : [] }
    } catch (cause) {
      if (cause instanceof TokenError) throw cause
      throw new TokenError(cause.code === 'ERR_JWT_EXPIRED' ? 'expired' : 'invalid', { cause })
    }
  }
}

export function createVerifier(options) {
  const verifier = new Verifier(options)
  return (token) => verifier.verify(token)
}
