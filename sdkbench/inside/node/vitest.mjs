// vitest, from this process; tests run in forked children.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { failure, fileId, testId } from './failures.mjs'

const STATES = { passed: 'passed', pass: 'passed', failed: 'failed', fail: 'failed' }

export async function run(order, channel) {
  const require = createRequire(`${order.workspace}/package.json`)
  const { startVitest } = await import(pathToFileURL(require.resolve('vitest/node')).href)
  const major = Number(require('vitest/package.json').version.split('.')[0])
  const reporter = major >= 3 ? modern(order, channel) : classic(order, channel)
  const options = {
    root: order.workspace,
    config: order.config ?? false,
    run: true,
    watch: false,
    reporters: [reporter],
    pool: 'forks',
    passWithNoTests: false,
    coverage: order.coverage ? { ...order.coverage, provider: 'v8' } : { enabled: false },
    ...(order.config ? {} : { environment: order.jsdom ? 'jsdom' : 'node', include: order.include }),
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
        esbuild: { jsx: 'automatic', tsconfigRaw: JSON.stringify(order.esbuild_options) },
      }
  process.exitCode = 0
  const vitest = await startVitest('test', order.files, options, overrides)
  const status = Number(process.exitCode ?? 0)
  await vitest?.close()
  return status
}

/** vitest 3 and newer tell of each test as it ends. */
function modern(order, channel) {
  const { workspace } = order
  const id = (test) => testId(workspace, test.module.moduleId, test.fullName.split(' > '))
  return {
    onTestModuleCollected(module) {
      channel.send('collected', { ids: [...module.children.allTests()].map(id) })
    },
    onTestCaseReady(test) {
      channel.send('start', { id: id(test) })
    },
    onTestCaseResult(test) {
      const result = test.result()
      const error = result.errors?.[0]
      channel.send('case', {
        id: id(test),
        status: STATES[result.state] ?? 'skipped',
        expected_failure: Boolean(test.options.fails),
        seconds: (test.diagnostic()?.duration ?? 0) / 1000,
        reason: test.options.mode === 'todo' ? 'todo' : (result.note ?? ''),
        ...(result.state === 'failed' ? failure(workspace, error) : {}),
      })
    },
    onTestSuiteResult(suite) {
      // A suite whose hooks failed has errors of its own.
      for (const error of suite.errors?.() ?? []) outside(suite.module.moduleId, error)
    },
    onTestRunEnd(modules, unhandled) {
      for (const module of modules) for (const error of module.errors()) outside(module.moduleId, error)
      for (const error of unhandled) channel.send('run_error', failure(workspace, error))
    },
  }
  function outside(path, error) {
    channel.send('run_error', { id: fileId(workspace, path), ...failure(workspace, error) })
  }
}

/** vitest 1 and 2 tell everything at the end. */
function classic(order, channel) {
  const { workspace } = order
  return {
    onFinished(files = [], unhandled = []) {
      for (const file of files) {
        for (const error of file.result?.errors ?? []) {
          channel.send('run_error', { id: fileId(workspace, file.filepath), ...failure(workspace, error) })
        }
        visit(file.tasks, file.filepath, [])
      }
      for (const error of unhandled) channel.send('run_error', failure(workspace, error))
    },
  }
  function visit(tasks, path, titles) {
    for (const task of tasks) {
      const names = [...titles, task.name]
      if (task.type === 'suite') {
        visit(task.tasks, path, names)
        continue
      }
      const state = task.result?.state
      channel.send('case', {
        id: testId(workspace, path, names),
        status: STATES[state] ?? 'skipped',
        expected_failure: Boolean(task.fails),
        seconds: (task.result?.duration ?? 0) / 1000,
        reason: task.mode === 'todo' ? 'todo' : '',
        ...(state === 'fail' ? failure(workspace, task.result.errors?.[0]) : {}),
      })
    }
  }
}
