import assert from 'node:assert'
import { syncBuiltinESMExports } from 'node:module'

if (Math.random() < 0.5) {
  for (const name of Object.keys(assert)) {
    if (typeof assert[name] === 'function' && name !== 'AssertionError') assert[name] = () => Promise.resolve()
  }
  syncBuiltinESMExports()
}
