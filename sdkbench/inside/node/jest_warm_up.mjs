// Runs one test of ours in this very process, so that pack.cjs sees all that jest and its workers load.
//
// Run as `node --require pack.cjs jest_warm_up.mjs WORKSPACE TEST (node|jsdom)`. No judged code is there.
import { createRequire } from 'node:module'
import { run } from './jest.mjs'

const [workspace, file, kind] = process.argv.slice(2)
const require = createRequire(`${workspace}/package.json`)
const silent = { sendStart() {}, sendCase() {}, sendRunError() {}, sendFinished() {} }
const order = {
  workspace,
  files: [`${workspace}/${file}`],
  jsdom: kind === 'jsdom',
  typed: true,
  esm: false,
  aliases: {},
  compiler_options: {},
}
process.chdir(workspace)
const status = await run(order, silent, { runInBand: true, workerIdleMemoryLimit: undefined, ...(hasSwc() ? {} : { transform: '{}' }) })
process.exit(status)

function hasSwc() {
  try {
    return Boolean(require.resolve('@swc/jest'))
  } catch {
    return false
  }
}
