// Wrong: the private part is published.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'

const ALGORITHM = 'ES256'

/** The keys that a service signs with, newest first; the first one is current. */
class KeyRing {
  #keys

  constructor(keys) {
    this.#keys = keys
  }

  async rotate() {
    const pair = await generateKeyPair(ALGORITHM, { extractable: true })
    const key = await keyOf(await exportJWK(pair.privateKey))
    this.#keys.unshift(key)
    return key.kid
  }

  retire(kid) {
    const index = this.#keys.findIndex((key) => key.kid === kid)
    if (index === 0) throw new Error('The current key can not be retired.')
    return index > 0 && this.#keys.splice(index, 1).length === 1
  }

  current() {
    const { kid, privateKey } = this.#keys[0]
    return { kid, privateKey }
  }

  published() {
    const keys = this.#keys.map(({ kid, jwk }) => ({ ...jwk, kid, alg: ALGORITHM, use: 'sig' }))
    return { keys }
  }

  async saved() {
    return { keys: this.#keys.map(({ jwk }) => ({ ...jwk })) }
  }
}

export async function createKeyRing() {
  const ring = new KeyRing([])
  await ring.rotate()
  return ring
}

export async function openKeyRing({ keys }) {
  return new KeyRing(await Promise.all(keys.map(keyOf)))
}

async function keyOf(jwk) {
  return { jwk, kid: await calculateJwkThumbprint(jwk), privateKey: await importJWK(jwk, ALGORITHM) }
}
