// Runs in the solution's sandbox: checks it, and keeps processes ready that load it as the tests' framework would.
//
// Started as `node serve.mjs MESSAGE_FD`. It ends when its end of the pair's socket does. What it says by the
// channel is about the check alone. Nothing else that happens here is believed; what counts is said on the tests' side.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, stepsLeft } from '../build.mjs'
import { Channel } from '../channel.mjs'

const NATIVE = fileURLToPath(new URL('./serve_native.mjs', import.meta.url))
const SERVER = fileURLToPath(new URL('./solution.cjs', import.meta.url))
const MOST_FAILURES = 10
const LOOK_MS = 50
const AT_ONCE = 2 // processes in which mocha runs its files

process.on('SIGUSR1', () => {}) // otherwise any child could open the debugger in this process
process.execArgv = process.execArgv.filter((word) => word !== '--experimental-vm-modules') // ours alone
const fd = Number(process.argv[2])
const order = JSON.parse(readFileSync(fd, 'utf8'))
closeSync(fd)
process.chdir(order.workspace)
const channel = new Channel(order)
channel.send('begin')
delete order.nonce
const isNative = order.framework !== 'vitest' && order.framework !== 'jest'
const expected = order.framework === 'mocha' ? Math.min(AT_ONCE, order.files.length) : order.files.length
let started = 0
let failures = 0 // processes that ended before anybody called them

// Where nothing is left to be checked, nothing is left to be said: then the solution may run in this process.
const isChecked = stepsLeft(order.build_steps).length === 0
let checking = Promise.resolve()
if (isChecked) {
  channel.send('built', { errors: [], output: '' })
  channel.close()
} else checking = build(order.build_steps, channel).then((built) => channel.send('built', built))

const peer = new Socket({ fd: Number(order.apart.peer) })
peer.on('error', () => {}).on('close', () => checking.then(() => process.exit(0))).resume()
writeFileSync(order.apart.importer, 'export const load = (name) => import(name)\n')
Object.assign(process.env, order.test_env)
process.env.SDKBENCH_SOLUTION = JSON.stringify(order.apart)

/** One process is always waiting; as soon as somebody calls it, the next one starts. Where no other
 * process of tests is expected, it starts only once there is one all the same.
 */
function keepReady() {
  started++
  const child = spawn(process.execPath, [NATIVE], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let isCalled = false
  child.on('message', () => {
    isCalled = true
    if (started < expected) keepReady()
    else waitForCaller()
  })
  child.on('close', () => {
    if (isCalled) return
    if (++failures > MOST_FAILURES) process.exit(1)
    keepReady()
  })
}

function waitForCaller() {
  const looking = setInterval(() => {
    if (!readdirSync(order.apart.shared).some((name) => name.endsWith('.wanted'))) return
    clearInterval(looking)
    keepReady()
  }, LOOK_MS)
}

/** Files that stand where the tests would, and serve them instead of testing. */
function writeServers(text) {
  for (const file of order.files) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (order.esm && dirname(file) !== order.workspace) writeFileSync(`${dirname(file)}/package.json`, '{"type": "module"}')
  }
}

const VITEST = `import { createRequire } from 'node:module'
import { test } from 'vitest'
const { serve } = createRequire(import.meta.url)(${JSON.stringify(SERVER)})
const order = JSON.parse(process.env.SDKBENCH_SOLUTION)
delete process.env.SDKBENCH_SOLUTION
const loaders = { import: (name) => import(/* @vite-ignore */ name), require: createRequire(order.importer) }
test('solution', () => serve(order, loaders), 0)
`
const JEST = `const { serve } = require(${JSON.stringify(SERVER)})
const order = JSON.parse(process.env.SDKBENCH_SOLUTION)
const loaders = { import: async (name) => import(name), require }
test('solution', () => serve(order, loaders), ${2 ** 31 - 1})
`
const JEST_MODULE = `import { createRequire } from 'node:module'
const { serve } = createRequire(import.meta.url)(${JSON.stringify(SERVER)})
const order = JSON.parse(process.env.SDKBENCH_SOLUTION)
const loaders = { import: (name) => import(name), require: createRequire(import.meta.url) }
test('solution', () => serve(order, loaders), ${2 ** 31 - 1})
`

if (!isNative) {
  writeServers(order.framework === 'vitest' ? VITEST : order.esm ? JEST_MODULE : JEST)
  const { serve } = await import(`../${order.framework}.mjs`)
  await serve(order)
  await checking
  process.exit(0) // whoever still waits must see that nobody is left
} else if (isChecked && expected === 1 && !order.typed) {
  process.removeAllListeners('SIGUSR1') // it has nothing to hide any more
  peer.unref() // whether this process has anything left to do is told to the tests
  process.setSourceMapsEnabled(true)
  process.argv = [process.execPath, NATIVE]
  await import('./serve_native.mjs')
} else keepReady()
