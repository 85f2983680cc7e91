// Runs inside the sandbox: builds the project, then runs its tests and reports by the channel.
//
// Started as `node boot.mjs MESSAGE_FD`. The order (NodeOrder of test_harness/node/session.py) comes
// from the message descriptor; records go out by the channel. This process is the frameworks' parent:
// where a framework runs tests in children, judged code never runs here.
import { spawn } from 'node:child_process'
import { closeSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Channel } from './channel.mjs'
import { provideManagers } from './own/managers.mjs'
import { isPlainJavaScript } from './plain_syntax.mjs'
import { sourceFiles } from './sources.mjs'
import { ANSI, pointOf } from './words.mjs'

// V8 optimises what has run for so many bytes of code, nine times as many as else: a framework's start
// is over before that pays, and what works for long is optimised all the same. Children are not told.
setFlagsFromString('--interrupt-budget=1200000')
process.execArgv = process.execArgv.filter((word) => word !== '--experimental-vm-modules') // ours alone

const MAX_OUTPUT = 64 * 1024
const LEGACY_HASH = /error:0308010C|ERR_OSSL_EVP_UNSUPPORTED/
const MAX_NOTE = 2 * 1024
const MAX_LISTING = 16 * 1024 * 1024
const v8 = `${process.env.TMPDIR}/v8` // where Node puts its counts
const coverageFolder = `${process.env.TMPDIR}/coverage`

/** Run a program; resolves to its errors, none if it went well, and to its last output. */
function execute({ argv, cwd, env, name }, most = MAX_OUTPUT) {
  return new Promise((resolve) => {
    const child = spawn(argv[0], argv.slice(1), {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-most)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => resolve({ errors: [`${argv[0]}: ${error.message}`], output }))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve({ errors: [], output })
      const ending = signal ? `was killed by ${signal}` : `ended with exit code ${code}`
      const errors = output.replace(ANSI, '').split('\n').filter((line) => /error TS\d+:/.test(line))
      resolve({ errors: errors.length ? errors : [`\`${name ?? argv.join(' ')}\` ${ending}: ${pointOf(output)}\n${output.trim()}`], output })
    })
  })
}

/** The steps' errors, up to the first step that has some, and what they printed.
 *
 * `first` is a quicker way to one step's answer, and lists the files that it read: its yes counts,
 * its no is asked again. Where it has read all `sources` of another step, they parse, which is all
 * that step asks; so it is where they are plain JavaScript.
 */
async function build(steps) {
  steps = steps.filter(({ sources }) => !sources || !isPlainJavaScript(sources))
  const quick = steps.find(({ first }) => first)
  const { errors: doubts, output } = quick ? await execute({ ...quick, argv: quick.first }, MAX_LISTING) : { errors: [''] }
  const seen = doubts.length ? null : new Set(output.split('\n'))
  let printed = ''
  for (const one of steps) {
    if (seen && (one === quick || hasSeen(seen, one.sources))) continue
    const { errors, output } = await executeScript(one)
    printed = (printed + output).slice(-MAX_OUTPUT)
    if (errors.length && !one.optional) return { errors, output: printed }
    if (errors.length) channel.send('note', { message: errors[0].slice(0, MAX_NOTE) })
  }
  return { errors: [], output: printed }
}

/** Bundlers of some years ago ask OpenSSL for what it gives only on demand since then. */
async function executeScript(step) {
  const done = await execute(step)
  if (!done.errors.length || !LEGACY_HASH.test(done.output)) return done
  return execute({ ...step, env: { ...step.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --openssl-legacy-provider`.trim() } })
}

function hasSeen(seen, folder) {
  if (!folder) return false
  try {
    const files = [...sourceFiles(folder)]
    return files.every((path) => seen.has(path) && !path.includes('\n'))
  } catch {
    return false // tests that run meanwhile may have taken it away: the step says what that means
  }
}

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
const building = build(order.build_steps).then((built) => {
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
  const { run } = await import(order.commands.length ? './own/run.mjs' : `./${order.framework}.mjs`)
  status = await run(order, channel)
  if (crossing?.report(order, channel)) status ||= 1
}
await building
if (order.coverage) await sendCoverage(order.coverage)
if (order.run_tests) channel.send('end', { status })
process.exit(status)
