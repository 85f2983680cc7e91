// Loaded by vitest, which may transform this file: Node's own `require` finds the rest as it is.
import { createRequire } from 'node:module'
import { reporterOf } from '../reporters/vitest.mjs'

export default class {
  onInit({ version = '0' }) {
    Object.assign(this, reporterOf(version, createRequire(import.meta.url)('./events.cjs')))
  }
}
