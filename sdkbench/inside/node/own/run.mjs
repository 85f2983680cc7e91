// The project's own test commands, with a reporter of ours: which files are tests, and with which settings
// they run, is the framework's business. Only for projects that are judged on their own tests.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StringDecoder } from 'node:string_decoder'
import { ANSI, pointOf } from '../words.mjs'

const POLL_MILLISECONDS = 100
const GRACE_MILLISECONDS = 10_000 // for a framework to end, once all is reported
const LAST_WORDS_MILLISECONDS = 2000 // a program that it started may keep its output open
const MAX_TAIL = 16 * 1024 // of what a command wrote, for an error that nothing else explains
const CHUNK = 1024 * 1024
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
/** What makes each framework report to us, and to nobody else. */
const REPORTER_WORDS = {
  mocha: ['--reporter', here('./mocha.cjs')],
  jest: [`--reporters=${here('./jest.cjs')}`, '--coverage=false', '--watchAll=false', '--testLocationInResults'],
  vitest: ['--run', `--reporter=${here('./vitest.mjs')}`, '--coverage.enabled=false'],
  node_test: [`--test-reporter=${here('./node_test.mjs')}`, '--test-reporter-destination=stdout'],
}

export async function run(order, channel) {
  const replay = new Replay(order.workspace, channel)
  let status = 0
  for (const [number, command] of order.commands.entries()) {
    status = (await execute(order, command, number, replay)) || status
  }
  return status
}

/** Run one command; its status, which is not 0 where the framework did not come to its end. */
async function execute(order, { framework, words, env, cwd, before }, number, replay) {
  const file = `${process.env.TMPDIR}/events-${number}`
  closeSync(openSync(file, 'w'))
  const events = new Events(file, replay)
  replay.begin()
  const ours = [...REPORTER_WORDS[framework], ...(framework === 'vitest' ? checkerWords(words, cwd) : [])]
  // Beside another option of the type check, the bare one would overrule it.
  const rest = words.slice(before).map((word) => (word === '--typecheck' ? '--typecheck.enabled' : word))
  const text = [...words.slice(0, before), ...ours.map(quoted), ...rest].join(' ')
  const child = spawn('sh', ['-c', [...env.map((one) => `export ${one}; `), 'exec ', text].join('')], {
    cwd,
    env: { ...process.env, PATH: searchPath(order, cwd), SDKBENCH_EVENTS: file },
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
      if (replay.finished && deadline === Infinity) deadline = Date.now() + GRACE_MILLISECONDS
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
  const ending = signal ? `was killed by ${signal}` : `ended with exit code ${code}`
  const name = words.join(' ')
  if (lingered) {
    replay.note(`\`${name}\` did not end by itself after its last test: something that it started was still open`)
    return replay.failures ? 1 : 0
  }
  if (!replay.finished) replay.fail(`\`${name}\` ${ending} before its tests were over`, tail)
  else if (code !== 0 && !replay.failures && replay.tests) replay.fail(`\`${name}\` ${ending}, though no test failed`, tail)
  return code === 0 && replay.finished ? 0 : code || 1
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
    Object.assign(this, { finished: false, failures: 0, tests: 0 })
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
    this.finished = true
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
}
