// Loaded first by every Node process that a project's test script starts: whichever framework is started
// there, by whatever program, reports to us. What the framework itself starts is the tests' own business.
//
// It says by the channel when a framework begins; the framework's reporter says when it is over.
const { spawnSync } = require('child_process')
const { realpathSync } = require('fs')
const Module = require('module')
const { isMainThread } = require('worker_threads')
const events = require('./events.cjs')
const words = require('./reporter_words.cjs')

const LOADED = [
  [/[\\/]node_modules[\\/]mocha[\\/]lib[\\/]mocha\.js$/, followMocha],
  [/[\\/]node_modules[\\/]@jest[\\/]core[\\/]build[\\/](index|jest|cli[\\/]index)\.js$/, followJest],
]
const VITEST = /[\\/]node_modules[\\/]vitest[\\/](vitest\.mjs|dist[\\/]cli(-wrapper)?\.js)$/
const FRAMEWORKS = /[\\/]node_modules[\\/](mocha|jest|jest-cli|vitest)[\\/]/
const NO_TESTS = new Set(['bench', 'typecheck', 'list', 'init']) // other things that vitest does
const MEASURING = /^(--coverage(\..*)?|--watch|-w|--ui|--open)(=.*)?$/
const OPTIONS_WITH_VALUE = /^--test-(reporter|reporter-destination)$/
const followedCalls = new WeakSet()

if (isMainThread) follow()

function follow() {
  const program = programOf(process.argv[1])
  if (process.execArgv.includes('--test')) return rerunNode()
  if (VITEST.test(program)) return followVitest()
  for (const end of ['.js', '.cjs']) {
    const load = Module._extensions[end] || Module._extensions['.js']
    Module._extensions[end] = function (module, file) {
      load(module, file)
      const found = LOADED.find(([path]) => path.test(file))
      if (found) found[1](module, program)
    }
  }
}

function programOf(path) {
  try {
    return realpathSync(path)
  } catch (_) {
    return '' // `node -e`, and what has no file
  }
}

/** A framework is about to run tests. Its own end counts where the process is the framework's alone. */
function begin(framework, isAlone) {
  delete process.env.NODE_OPTIONS
  if (process.env.SDKBENCH_NODE_OPTIONS) process.env.NODE_OPTIONS = process.env.SDKBENCH_NODE_OPTIONS
  delete process.env.SDKBENCH_NODE_OPTIONS
  events.sendBegan(framework)
  if (isAlone) process.on('exit', (code) => events.sendExit(code))
}

function followMocha(module, program) {
  const { prototype } = module.exports
  const { run } = prototype
  prototype.run = function (...rest) {
    begin('mocha', FRAMEWORKS.test(program))
    this.reporter(require('./mocha.cjs'))
    return run.apply(this, rest)
  }
}

function followJest(module, program) {
  const plain = module.exports
  if (typeof plain.runCLI !== 'function' || followedCalls.has(plain.runCLI)) return // one file hands on another's
  const followed = Object.defineProperty({}, '__esModule', { value: true })
  for (const name of Object.keys(plain)) followed[name] = plain[name]
  followed.runCLI = (argv, projects) => {
    if (argv.listTests || argv.showConfig || argv.clearCache) return plain.runCLI(argv, projects)
    begin('jest', FRAMEWORKS.test(program))
    return plain.runCLI(Object.assign({}, argv, words.jestArguments), projects)
  }
  followedCalls.add(followed.runCLI)
  module.exports = followed
}

function followVitest() {
  const [mode, ...rest] = process.argv.slice(2)
  if (NO_TESTS.has(mode)) return
  begin('vitest', true)
  const hasMode = mode !== undefined && /^(run|watch|dev|related)$/.test(mode)
  const given = hasMode ? rest : process.argv.slice(2)
  const kept = given.filter((word) => !MEASURING.test(word))
  const modes = hasMode ? [mode.replace(/^(watch|dev)$/, 'run')] : []
  process.argv.splice(2, Infinity, ...modes, ...words.vitest, ...kept)
}

/** Node takes no reporter once it has started: it starts once more, with ours. */
function rerunNode() {
  begin('node_test', false)
  const options = []
  for (let i = 0; i < process.execArgv.length; i++) {
    const [name, value] = process.execArgv[i].split('=')
    if (!OPTIONS_WITH_VALUE.test(name)) options.push(process.execArgv[i])
    else if (value === undefined) i++
  }
  const argv = [...options, ...words.node_test, ...process.argv.slice(1)]
  const { status } = spawnSync(process.execPath, argv, { stdio: 'inherit' })
  events.sendExit(status === null ? 1 : status)
  process.exit(status === null ? 1 : status)
}
