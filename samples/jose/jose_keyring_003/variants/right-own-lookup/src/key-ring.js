import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'

function ringOf(entries) {
  const publicJwk = ({ kid, privateKey }) => {
    const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
    return { use: 'sig', alg: 'ES256', kid, kty, crv, x, y }
  }
  const ring = {
    async rotate() {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      const kid = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }), 'sha256')
      entries = [{ kid, privateKey }, ...entries]
      return kid
    },
    retire(kid) {
      if (kid === entries[0].kid) throw new Error('The current key can not be retired.')
      const before = entries.length
      entries = entries.filter((entry) => entry.kid !== kid)
      return entries.length < before
    },
    current: () => entries[0],
    published: () => ({ keys: entries.map(publicJwk) }),
    saved: async () => ({
      version: 1,
      keys: entries.map(({ kid, privateKey }) => ({ kid, pem: privateKey.export({ format: 'pem', type: 'pkcs8' }) })),
    }),
  }
  return ring
}

export async function createKeyRing() {
  const ring = ringOf([])
  await ring.rotate()
  return ring
}

export async function openKeyRing(saved) {
  return ringOf(saved.keys.map(({ kid, pem }) => ({ kid, privateKey: createPrivateKey(pem) })))
}
