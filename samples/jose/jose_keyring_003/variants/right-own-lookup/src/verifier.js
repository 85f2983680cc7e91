import { importJWK, jwtVerify } from 'jose'

export class Refused extends Error {
  constructor(code, options) {
    super(code, options)
    this.name = 'Refused'
    this.code = code
  }
}

const unknownKey = () => new Refused('invalid')

export function createVerifier({ load, issuer, audience }) {
  let known = null
  let pending = null

  const refresh = () => {
    pending ??= (async () => {
      try {
        const { keys } = await load()
        known = new Map(await Promise.all(keys.map(async (jwk) => [jwk.kid, await importJWK(jwk, 'ES256')])))
      } catch (cause) {
        if (known === null) throw new Refused('no_keys', { cause })
      } finally {
        pending = null
      }
    })()
    return pending
  }

  const keyFor = async ({ kid }) => {
    if (known === null) {
      await refresh()
    } else if (!known.has(kid)) {
      await refresh()
    }
    const key = known.get(kid)
    if (!key) throw unknownKey()
    return key
  }

  return async function verify(token, requiredScope) {
    const { payload, protectedHeader } = await jwtVerify(token, keyFor, { issuer, audience, algorithms: ['ES256'], clockTolerance: '30 seconds' }).catch(
      (error) => {
        if (error instanceof Refused) throw error
        throw new Refused(error.code === 'ERR_JWT_EXPIRED' ? 'expired' : 'invalid', { cause: error })
      },
    )
    const { sub, exp, scope } = payload
    if (protectedHeader.typ !== 'at+jwt' || typeof scope !== 'string' || !sub || exp === undefined) throw new Refused('invalid')
    const scopes = scope === '' ? [] : scope.split(' ')
    if (requiredScope && scopes.indexOf(requiredScope) < 0) throw new Refused('forbidden')
    return { subject: sub, scopes }
  }
}
