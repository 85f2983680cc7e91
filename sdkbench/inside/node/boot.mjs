// Runs inside the sandbox: builds the project, then runs its tests and reports by the channel.
//
// Started as `node boot.mjs MESSAGE_FD`. The order (NodeOrder of test_harness/node/session.py) comes
// from the message descriptor; records go out by the channel. This process is the frameworks' parent:
// where a framework runs tests in children, judged code never runs here.
import { spawn } from 'node:child_process'
import { closeSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { build, execute } from './build.mjs'
import { Channel } from './channel.mjs'
import { provideManagers } from './own/managers.mjs'

// V8 optimises what has run for so many bytes of code, nine times as many as else: a framework's start
// is over before that pays, and what works for long is optimised all the same. Children are not told.
setFlagsFromString('--interrupt-budget=1200000')
process.execArgv = process.execArgv.filter((word) => word !== '--experimental-vm-modules') // ours alone

const v8 = `${process.env.TMPDIR}/v8` // where Node puts its counts
const coverageFolder = `${process.env.TMPDIR}/coverage`

/** Statements and missing lines of each file, from the report that all the tools can write. */
async function sendCoverage({ include, c8 }) {
  if (c8) {
    const words = ['--temp-directory', v8, '--reports-dir', coverageFolder, '--reporter', 'json', '--include', include]
    const excluded = ['--exclude', '**/*.{test,spec}.*', '--exclude', 'tests/**']
    const argv = ['node', c8, 'report', ...words, ...excluded]
    await execute({ argv, cwd: order.workspace, env: { NODE_V8_COVERAGE: '' } })
  }
  const report = JSON.parse(readFileSync(`${coverageFolder}/coverage-final.json`, 'utf8'))
  const files = {}
  for (const [path, { statementMap, s, branchMap, b }] of Object.entries(report)) {
    const hits = new Map() // line → whether any statement that starts there ran
    for (const [key, { start }] of Object.entries(statementMap)) {
      hits.set(start.line, Boolean(hits.get(start.line)) || s[key] > 0)
    }
    // Where a compiler joined several lines into one, only the branches say which of them ran.
    for (const [key, { locations }] of c8 ? Object.entries(branchMap) : []) {
      for (const [index, { start, end }] of locations.entries()) {
        if (b[key][index] > 0) continue
        for (let line = start.line; line <= end.line; line++) if (hits.has(line)) hits.set(line, false)
      }
    }
    const missing = [...hits].filter(([, hit]) => !hit).map(([line]) => line)
    files[relative(order.workspace, path)] = [hits.size, missing.sort((a, b) => a - b)]
  }
  channel.send('coverage', { files })
}

const fd = Number(process.argv[2])
const order = JSON.parse(readFileSync(fd, 'utf8'))
closeSync(fd)
const channel = new Channel(order)
process.on('SIGUSR1', () => {}) // otherwise any child could open the debugger in this process
process.chdir(order.workspace)
channel.send('begin')
if (order.own) provideManagers()

// A check that leaves nothing behind may run beside the tests; what they show counts only if it
// finds nothing. A real build has a sandbox of its own.
const building = build(order.build_steps, channel).then((built) => {
  channel.send('built', built)
  if (built.errors.length) process.exit(1)
})
if (!order.run_tests) await building

// The built solution, for the sandboxes in which tests run; this one dies with all its processes.
if (order.archive_fd) {
  const stdio = ['ignore', Number(order.archive_fd), 'inherit']
  const packing = spawn('tar', ['--one-file-system', '--exclude=node_modules', '-cf', '-', '-C', order.archive_folder, '.'], { stdio })
  const code = await new Promise((end) => packing.on('close', end).on('error', () => end(-1)))
  channel.send('packed', { ok: code === 0 })
}

let status = 0
const scripted = order.run_tests && order.script.length ? await (await import('./own/run.mjs')).runScript(order, channel) : undefined
if (scripted !== undefined) status = scripted
else if (order.run_tests && (order.commands.length || order.files.length || order.config)) {
  Object.assign(process.env, order.test_env)
  if (order.coverage?.c8) process.env.NODE_V8_COVERAGE = v8
  const crossing = order.apart && (await import('./apart/crossing.mjs'))
  crossing?.prepare(order)
  const program = order.apart?.in_process ? './apart/node_test.mjs' : `./${order.framework}.mjs`
  const { run } = await import(order.commands.length ? './own/run.mjs' : program)
  status = await run(order, channel)
  if (crossing?.report(order, channel)) status ||= 1
}
await building
if (order.coverage) await sendCoverage(order.coverage)
if (order.run_tests) channel.send('end', { status })
process.exit(status)
