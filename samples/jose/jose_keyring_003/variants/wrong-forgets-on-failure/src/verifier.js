// Wrong: what is kept is thrown away first.
import { createLocalJWKSet, errors, jwtVerify } from 'jose'

/** Says why a token was refused. */
export class Refused extends Error {
  /** @param {'expired' | 'forbidden' | 'invalid' | 'no_keys'} code */
  constructor(code, options) {
    super(`refused: ${code}`, options)
    this.code = code
  }
}

/** A function that checks tokens with published keys. */
export function createVerifier({ load, issuer, audience }) {
  const keys = keySource(load)
  const expectations = {
    issuer,
    audience,
    algorithms: ['ES256'],
    typ: 'at+jwt',
    requiredClaims: ['exp', 'sub', 'scope'],
    clockTolerance: 30, // seconds
  }

  return async (token, requiredScope) => {
    const grant = await verified(token, keys, expectations)
    if (requiredScope !== undefined && !grant.scopes.includes(requiredScope)) throw new Refused('forbidden')
    return grant
  }
}

async function verified(token, keys, expectations) {
  try {
    const { payload } = await jwtVerify(token, keys, expectations)
    return { subject: payload.sub, scopes: payload.scope.split(' ').filter(Boolean) }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(error instanceof errors.JWTExpired ? 'expired' : 'invalid', { cause: error })
  }
}

/** The kept keys, and newer ones for a token that was signed with none of them. */
function keySource(load) {
  let kept
  let loading

  async function reload() {
    loading ??= load().finally(() => {
      loading = undefined
    })
    const shared = loading
    kept = createLocalJWKSet(await shared)
  }

  return async (header, token) => {
    if (!kept) {
      await reload().catch((cause) => {
        throw new Refused('no_keys', { cause })
      })
      return kept(header, token)
    }
    try {
      return await kept(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      kept = undefined
      await reload()
      return kept(header, token)
    }
  }
}
