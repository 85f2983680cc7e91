// vitest, from this process; tests run in forked children.
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const STATES = { passed: 'passed', pass: 'passed', failed: 'failed', fail: 'failed' }

export async function run(order, channel) {
  const require = createRequire(`${order.workspace}/package.json`)
  const { startVitest } = await import(pathToFileURL(require.resolve('vitest/node')).href)
  const major = Number(require('vitest/package.json').version.split('.')[0])
  const reporter = major >= 3 ? modern(channel) : classic(channel)
  const options = {
    root: order.workspace,
    config: order.config ?? false,
    run: true,
    watch: false,
    reporters: [reporter],
    pool: 'forks',
    passWithNoTests: false,
    coverage: order.coverage ? coverageOptions(order.coverage) : { enabled: false },
    ...(order.config ? {} : { environment: order.jsdom ? 'jsdom' : 'node', include: order.files.map((file) => relative(order.workspace, file)) }),
  }
  const overrides = order.config
    ? order.own
      ? {} // as its author runs it
      : { configLoader: 'runner' } // a sample's configuration is written for it
    : {
        configFile: false,
        cacheDir: `${process.env.TMPDIR}/vite`,
        resolve: {
          alias: Object.entries(order.aliases).map(([name, target]) =>
            name.endsWith('/')
              ? { find: name, replacement: target }
              : { find: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`), replacement: target },
          ),
        },
        css: { postcss: {} }, // a solution's postcss.config would run in this process
        esbuild: { jsx: 'automatic', tsconfigRaw: JSON.stringify({ compilerOptions: order.compiler_options }) },
      }
  process.exitCode = 0
  const vitest = await startVitest('test', order.files, options, overrides)
  const status = Number(process.exitCode ?? 0)
  await vitest?.close()
  return status
}

function coverageOptions({ include }) {
  return {
    enabled: true,
    provider: 'v8',
    reporter: ['json'],
    reportsDirectory: `${process.env.TMPDIR}/coverage`,
    include: [include],
    exclude: ['**/*.{test,spec}.*', '**/node_modules/**'],
  }
}

/** vitest 3 and newer report each test as it ends. */
function modern(channel) {
  const titles = (test) => test.fullName.split(' > ')
  return {
    onTestModuleCollected(module) {
      const tests = [...module.children.allTests()]
      channel.send('collected', { ids: tests.map((test) => channel.testId(module.moduleId, titles(test))) })
    },
    onTestCaseReady(test) {
      channel.sendStart(test.module.moduleId, titles(test))
    },
    onTestCaseResult(test) {
      const { state, errors, note } = test.result()
      channel.sendCase(test.module.moduleId, titles(test), {
        status: STATES[state] ?? 'skipped',
        expectedFailure: test.options.fails,
        milliseconds: test.diagnostic()?.duration,
        reason: test.options.mode === 'todo' ? 'todo' : (note ?? ''),
        error: errors?.[0],
      })
    },
    onTestSuiteResult(suite) {
      // A suite whose hooks failed has errors of its own.
      for (const error of suite.errors?.() ?? []) channel.sendRunError(error, suite.module.moduleId)
    },
    onTestRunEnd(modules, unhandled) {
      for (const module of modules) for (const error of module.errors()) channel.sendRunError(error, module.moduleId)
      for (const error of unhandled) channel.sendRunError(error)
    },
  }
}

/** vitest 1 and 2 report everything at the end. */
function classic(channel) {
  return {
    onFinished(files = [], unhandled = []) {
      for (const file of files) {
        for (const error of file.result?.errors ?? []) channel.sendRunError(error, file.filepath)
        visit(file.tasks, file.filepath, [])
      }
      for (const error of unhandled) channel.sendRunError(error)
    },
  }
  function visit(tasks, path, titles) {
    for (const { name, type, tasks: inner, result, fails, mode } of tasks) {
      if (type === 'suite') {
        visit(inner, path, [...titles, name])
        continue
      }
      channel.sendCase(path, [...titles, name], {
        status: STATES[result?.state] ?? 'skipped',
        expectedFailure: fails,
        milliseconds: result?.duration,
        reason: mode === 'todo' ? 'todo' : '',
        error: result?.errors?.[0],
      })
    }
  }
}
