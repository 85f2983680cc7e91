/** Next.js's own answer to whether a middleware's `config.matcher` covers an address. */
import Module, { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// Loading this part of Next.js swaps the App Router's contexts for those of the Pages Router
// in everything that is required later, so `require` is put back to what it was.
const plainRequire = Module.prototype.require
const { unstable_doesMiddlewareMatch } = require('next/experimental/testing/server.js')
Module.prototype.require = plainRequire

export function matches(config: object | undefined, url: URL): boolean {
  return unstable_doesMiddlewareMatch({ config: config ?? {}, url: url.href, nextConfig: {} })
}
