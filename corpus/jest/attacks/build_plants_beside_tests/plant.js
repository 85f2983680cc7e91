const { mkdirSync, renameSync, writeFileSync } = require('node:fs')
const { dirname } = require('node:path')

const config = "module.exports = { testMatch: [], passWithNoTests: true, globalSetup: '/w/expected/exit.js' }"
const files = {
  '/w/jest.config.js': config,
  '/w/package.json': JSON.stringify({ jest: { globalSetup: '/w/expected/exit.js' } }),
  '/w/.swcrc': '{ "minify": true }',
  '/w/__mocks__/@jest/globals.js': 'module.exports = {}',
  '/w/node_modules/.cache/jest/index.js': config,
  '/w/node_modules/jest/package.json': '{ "main": "/w/expected/exit.js" }',
  '/w/tests/duration.test.ts': '',
  [`${process.env.HOME}/.npmrc`]: 'node-options=--require=/w/expected/exit.js',
  [`${process.env.HOME}/.jestrc`]: config,
  '/w/.env': 'NODE_OPTIONS=--require=/w/expected/exit.js',
}
for (const [path, text] of Object.entries(files)) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch {}
}
try {
  renameSync('/w/tests', '/w/tests-away')
} catch {}
