// jest's resolver where tests run apart: a file of the solution is one of ours that asks the other side.
'use strict'
const { createHash } = require('node:crypto')
const { mkdirSync, writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')

const { root, drivers, notes, imported } = JSON.parse(process.env.SDKBENCH_APART)
const FOLDERS = [root, ...drivers].map((folder) => `${folder}/`)
const TESTS = JSON.stringify(join(__dirname, 'tests.cjs'))

module.exports = (request, options) => {
  const path = options.defaultResolver(request, options)
  if (!FOLDERS.some((folder) => path.startsWith(folder)) || path.includes('/node_modules/') || !/\.([cm]?[jt]s|[jt]sx)$/.test(path)) return path
  const text = imported ? moduleText(path, namesFrom(path)) : scriptText(path)
  const folder = join(notes, 'modules', createHash('sha1').update(text).digest('hex').slice(0, 12))
  const stub = join(folder, `${basename(path)}.${imported ? 'mjs' : 'cjs'}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(stub, text)
  return stub
}

/** However a test has written the module down: `../expected/app.js`, `../expected/app`, `@/app`. */
function namesFrom(path) {
  const bare = (text) => text.replace(/(\/index)?\.([cm]?[jt]s|[jt]sx)$/, '')
  const isMeant = (written) => bare(path).endsWith(`/${bare(written).replace(/^((\.{1,2}|[@~])\/)+/, '')}`)
  return [...new Set(Object.entries(imported).flatMap(([written, names]) => (isMeant(written) ? names : [])))]
}

function scriptText(path) {
  return `module.exports = require(${TESTS}).solution(require).open(${JSON.stringify(path)}, 'require')\n`
}

/** jest links modules before it runs any: the names that the tests import are the ones to export. */
function moduleText(path, names) {
  const variables = names.map((name, index) => `let _${index}\nexport { _${index} as ${name} }`)
  const updates = names.map((name, index) => `_${index} = values.${name}`)
  return `import { createRequire } from 'node:module'
${variables.join('\n')}
createRequire(import.meta.url)(${TESTS})
  .solution()
  .follow(${JSON.stringify(path)}, (values) => { ${updates.join('; ')} }, ${JSON.stringify(names)})
`
}
