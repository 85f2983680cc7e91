// The project's own test commands, with a reporter of ours: which files are tests, and with which settings
// they run, is the framework's business. Only for projects that are judged on their own tests.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StringDecoder } from 'node:string_decoder'
import { ANSI, pointOf } from '../words.mjs'
import REPORTER_WORDS from './reporter_words.cjs'

const POLL_MILLISECONDS = 100
const GRACE_MILLISECONDS = 10_000 // for a framework to end, once all is reported
const LAST_WORDS_MILLISECONDS = 2000 // a program that it started may keep its output open
const MAX_TAIL = 16 * 1024 // of what a command wrote, for an error that nothing else explains
const CHUNK = 1024 * 1024
const FOLLOW = fileURLToPath(new URL('./follow.cjs', import.meta.url))

export async function run(order, channel) {
  const replay = new Replay(order.workspace, channel)
  let status = 0
  for (const [number, command] of order.commands.entries()) {
    status = (await execute(order, command, number, replay)) || status
  }
  return status
}

/** Run the project's test script as it is, and follow what it starts: nobody can read from it which framework that is.
 *
 * Its parts run one after the other, until one fails. Resolves to its `status`, or to undefined where no tests
 * were told of, which is said by the channel.
 */
export async function runScript(order, channel) {
  const replay = new Replay(order.workspace, channel)
  const told = { frameworks: [], ending: '', output: '' }
  let tests = 0
  let status = 0
  for (const [number, text] of order.script.entries()) {
    const cwd = order.archive_folder
    const file = `${process.env.TMPDIR}/script-${number}`
    const env = { npm_lifecycle_event: 'test', NODE_OPTIONS: `--require "${FOLLOW}"` }
    if (process.env.NODE_OPTIONS) env.SDKBENCH_NODE_OPTIONS = process.env.NODE_OPTIONS
    const { ending, code, tail } = await shell(text, { order, cwd, env, file, replay })
    const { begun, finished, exit, failures } = replay
    told.frameworks.push(...begun)
    tests += replay.tests
    const begins = `\`${text}\` ${ending}`
    const untold = begun.length > finished ? 'before its tests were over' : exit && !failures && replay.tests ? 'though no test failed' : ''
    if (untold) replay.fail(`${begins}${untold.startsWith('though') ? ',' : ''} ${untold}`, tail)
    if (untold || failures) status = code || 1
    if (code === 0) continue
    Object.assign(told, { ending, output: tail.replace(ANSI, '').trim() })
    if (tests && !status) replay.note(`${begins} after its tests: ${pointOf(told.output)}`)
    break
  }
  const tells = tests > 0 || status !== 0
  channel.send('script', { ...told, frameworks: tells ? told.frameworks : [] })
  return tells ? status : undefined
}

/** Run one command; its status, which is not 0 where the framework did not come to its end. */
async function execute(order, { framework, words, env, cwd, before }, number, replay) {
  const ours = [...REPORTER_WORDS[framework], ...(framework === 'vitest' ? checkerWords(words, cwd) : [])]
  // Beside another option of the type check, the bare one would overrule it.
  const rest = words.slice(before).map((word) => (word === '--typecheck' ? '--typecheck.enabled' : word))
  const text = [...words.slice(0, before), ...ours.map(quoted), ...rest].join(' ')
  const script = [...env.map((one) => `export ${one}; `), 'exec ', text].join('')
  const file = `${process.env.TMPDIR}/events-${number}`
  const { ending, code, lingered, tail } = await shell(script, { order, cwd, file, replay, grace: GRACE_MILLISECONDS })
  const name = words.join(' ')
  if (lingered) {
    replay.note(`\`${name}\` did not end by itself after its last test: something that it started was still open`)
    return replay.failures ? 1 : 0
  }
  if (!replay.finished) replay.fail(`\`${name}\` ${ending} before its tests were over`, tail)
  else if (code !== 0 && !replay.failures && replay.tests) replay.fail(`\`${name}\` ${ending}, though no test failed`, tail)
  return code === 0 && replay.finished ? 0 : code || 1
}

/** Run what a shell reads, while `replay` says what is appended to `file`: how it ended, and the last that it wrote.
 * Where a `grace` is given, no more than that passes between the end of its tests and its own.
 */
async function shell(text, { order, cwd, env = {}, file, replay, grace = Infinity }) {
  closeSync(openSync(file, 'w'))
  const events = new Events(file, replay)
  replay.begin()
  const child = spawn('sh', ['-c', text], {
    cwd,
    env: { ...process.env, PATH: searchPath(order, cwd), SDKBENCH_EVENTS: file, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let tail = ''
  for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
    from.on('data', (chunk) => {
      to.write(chunk)
      tail = (tail + chunk).slice(-MAX_TAIL)
    })
  }
  const { code, signal, lingered } = await new Promise((end) => {
    let deadline = Infinity
    const timer = setInterval(() => {
      events.read()
      if (replay.finished && deadline === Infinity) deadline = Date.now() + grace
      if (Date.now() < deadline) return
      clearInterval(timer)
      child.once('exit', () => end({ lingered: true }))
      child.kill('SIGKILL')
    }, POLL_MILLISECONDS)
    child.on('close', (code, signal) => end({ code, signal }))
    child.once('exit', (code, signal) => {
      clearInterval(timer)
      setTimeout(() => end({ code, signal }), LAST_WORDS_MILLISECONDS)
    })
  })
  events.read()
  events.close()
  return { ending: signal ? `was killed by ${signal}` : `ended with exit code ${code}`, code, lingered, tail }
}

/** vitest's type check keeps notes beside vitest itself, where nothing can be written: the same compiler, told of another place. */
function checkerWords(words, cwd) {
  const configs = readdirSync(cwd).filter((name) => /^(vitest|vite)\.\w+\.\w+$/.test(name))
  const asked = [...words, ...configs.map((name) => readFileSync(`${cwd}/${name}`, 'utf8'))].join(' ')
  const compiler = /vue-tsc/.test(asked) ? 'vue-tsc' : 'tsc'
  if (!/typecheck/.test(asked) || /typecheck\.checker/.test(asked)) return []
  const checker = `${process.env.TMPDIR}/checker`
  const note = `${process.env.TMPDIR}/checker.tsbuildinfo`
  writeFileSync(checker, `#!/bin/sh\nexec ${compiler} "$@" --tsBuildInfoFile ${quoted(note)}\n`, { mode: 0o755 })
  return [`--typecheck.checker=${checker}`]
}

function searchPath({ workspace }, cwd) {
  return [`${cwd}/node_modules/.bin`, `${workspace}/node_modules/.bin`, process.env.PATH].join(':')
}

const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`

/** The lines that a reporter has appended since the last look. */
class Events {
  #fd
  #replay
  #rest = ''
  #buffer = Buffer.alloc(CHUNK)
  #decoder = new StringDecoder('utf8')

  constructor(file, replay) {
    this.#fd = openSync(file, 'r')
    this.#replay = replay
  }

  read() {
    for (let size; (size = readSync(this.#fd, this.#buffer, 0, CHUNK, null)); ) {
      const lines = (this.#rest + this.#decoder.write(this.#buffer.subarray(0, size))).split('\n')
      this.#rest = lines.pop()
      for (const line of lines) this.#replay.say(JSON.parse(line))
    }
  }

  close() {
    closeSync(this.#fd)
  }
}

/** Says by the channel what a reporter has said, and remembers what came of it. */
class Replay {
  #workspace
  #channel
  #withoutTests = []

  constructor(workspace, channel) {
    this.#workspace = workspace
    this.#channel = channel
    this.begin()
  }

  begin() {
    Object.assign(this, { begun: [], finished: 0, exit: 0, failures: 0, tests: 0 })
  }

  say([method, ...rest]) {
    if (Object.hasOwn(METHODS, method)) this[METHODS[method]](...rest)
  }

  note(message) {
    this.#channel.send('note', { message })
  }

  fail(sentence, output) {
    const text = output.replace(ANSI, '').trim()
    this.#channel.sendRunError({ message: `${sentence}: ${pointOf(text)}\n${text}`, stack: text })
  }

  began(framework) {
    this.begun.push(String(framework))
  }

  /** How a process ended that was a framework's own. */
  exited(code) {
    this.exit ||= Number(code)
  }

  collected(path, tests) {
    this.#channel.sendCollected(this.#inside(path), tests)
  }

  start(path, titles) {
    this.#channel.sendStart(this.#inside(path), titles)
  }

  ended(path, titles, ended) {
    this.tests++
    if (ended.status === 'failed') this.failures++
    this.#channel.sendCase(this.#inside(path), titles, ended)
  }

  runError(error, path) {
    this.failures++
    this.#channel.sendRunError(error, path && this.#inside(path))
  }

  /** node:test counts a file without tests as one that passed; beside real tests it may. */
  fileWithoutTests(path, { milliseconds, skip }) {
    this.#withoutTests.push([path, [], { status: skip === undefined ? 'passed' : 'skipped', milliseconds }])
  }

  finish() {
    if (this.tests) for (const one of this.#withoutTests) this.ended(...one)
    this.#withoutTests = []
    this.finished++
  }

  /** A path of the workspace: a test that was made while tests ran may have none, or another. */
  #inside(path) {
    const plain = String(path ?? '').startsWith('file://') ? fileURLToPath(path) : String(path ?? '')
    const inner = relative(this.#workspace, resolve(this.#workspace, plain))
    return inner && !inner.startsWith('..') && !isAbsolute(inner) ? `${this.#workspace}/${inner}` : `${this.#workspace}/(no file)`
  }
}

const METHODS = {
  sendCollected: 'collected',
  sendStart: 'start',
  sendCase: 'ended',
  sendRunError: 'runError',
  sendFileWithoutTests: 'fileWithoutTests',
  sendFinished: 'finish',
  sendBegan: 'began',
  sendExit: 'exited',
}
