import { createPrivateKey, createPublicKey } from 'node:crypto'
import * as jose from 'jose'

const ISSUER = 'https://login.example.test'

async function openKey(pem) {
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey)
  const jwk = publicKey.export({ format: 'jwk' })
  return { privateKey, publicKey, jwk, kid: await jose.calculateJwkThumbprint(jwk) }
}

export const openKeys = (pems) => Promise.all(pems.map(openKey))

export const publicKeys = async (keys) => ({ keys: keys.map(({ jwk, kid }) => ({ ...jwk, kid, use: 'sig', alg: 'ES256' })) })

export function signIn([first], { subject, roles }, audience) {
  const now = Math.floor(Date.now() / 1000)
  const claims = { roles, iss: ISSUER, aud: audience, sub: subject, iat: now, exp: now + 2 * 60 * 60 }
  return new jose.SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: first.kid }).sign(first.privateKey)
}

export async function whoIs(keys, token, audience) {
  let kid
  try {
    kid = jose.decodeProtectedHeader(token).kid
  } catch {
    return null
  }
  for (const key of keys) {
    if (kid !== undefined && kid !== key.kid) continue
    try {
      const options = { audience, issuer: ISSUER, algorithms: ['ES256'], clockTolerance: 10, maxTokenAge: 24 * 60 * 60 }
      const { payload } = await jose.jwtVerify(token, key.publicKey, options)
      return { subject: payload.sub, roles: payload.roles }
    } catch (error) {
      if (error.code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') continue
      return error.code === 'ERR_JWT_EXPIRED' && error.claim === 'exp' ? { expired: true } : null
    }
  }
  return null
}
