// The steps that check or build a solution before its tests: programs of their own, each of which must go well.
import { spawn } from 'node:child_process'
import { isPlainJavaScript } from './plain_syntax.mjs'
import { sourceFiles } from './sources.mjs'
import { ANSI, pointOf } from './words.mjs'

const MAX_OUTPUT = 64 * 1024
const LEGACY_HASH = /error:0308010C|ERR_OSSL_EVP_UNSUPPORTED/
const MAX_NOTE = 2 * 1024
const MAX_LISTING = 16 * 1024 * 1024

/** Run a program; resolves to its errors, none if it went well, and to its last output. */
export function execute({ argv, cwd, env, name }, most = MAX_OUTPUT) {
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
 * that step asks.
 */
export async function build(steps, channel) {
  // The environment is another one once tests run.
  const before = { ...process.env }
  steps = stepsLeft(steps).map((step) => ({ ...step, env: { ...before, ...step.env } }))
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
  return execute({ ...step, env: { ...step.env, NODE_OPTIONS: `${step.env.NODE_OPTIONS ?? ''} --openssl-legacy-provider`.trim() } })
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

/** Those whose answer is not plain at once. */
export function stepsLeft(steps) {
  return steps.filter(({ sources }) => !sources || !isPlainJavaScript(sources))
}
