// jest, from this process; tests run in worker processes.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const STATUSES = { passed: 'passed', failed: 'failed' }

export async function run(order, channel) {
  const require = createRequire(`${order.workspace}/package.json`)
  // Under npm's flat tree or bun's, jest's own dependency is found from jest.
  const { runCLI } = createRequire(require.resolve('jest'))('@jest/core')
  // jest loads a reporter by path; that file finds this class here, in the parent, and nowhere else.
  globalThis[Symbol.for('sdkbench.reporter')] = reporter(channel)
  const { results } = await runCLI(
    {
      $0: 'jest',
      _: order.config ? order.patterns : order.files,
      runTestsByPath: !order.config,
      config: order.config ?? JSON.stringify(order.jest_config),
      rootDir: order.workspace,
      reporters: [fileURLToPath(new URL('./reporter.cjs', import.meta.url))],
      cacheDirectory: `${process.env.TMPDIR}/jest`,
      watchman: false,
      watch: false,
      watchAll: false,
      ci: true,
      maxWorkers: 2,
      workerIdleMemoryLimit: '8GB', // never reached: its being set keeps tests out of this process
      forceExit: true,
      testLocationInResults: true,
      passWithNoTests: false,
      ...(order.coverage ? { coverage: true, ...order.coverage } : {}),
    },
    [order.workspace],
  )
  return results.success ? 0 : 1
}

const reporter = (channel) =>
  class {
    onTestCaseStart({ path }, { ancestorTitles, title }) {
      channel.sendStart(path, [...ancestorTitles, title])
    }

    onTestFileResult({ path }, { testExecError, failureMessage, testResults }) {
      if (testExecError) {
        const { message, stack } = testExecError
        channel.sendRunError({ message: failureMessage ?? message, stack }, path)
      }
      for (const test of testResults) {
        const text = test.failureMessages?.[0]
        channel.sendCase(path, [...test.ancestorTitles, test.title], {
          status: STATUSES[test.status] ?? 'skipped',
          expectedFailure: test.failing,
          milliseconds: test.duration,
          reason: test.status === 'todo' ? 'todo' : '',
          error: text ? { message: text.split('\n    at ')[0], stack: text } : test.failureDetails?.[0],
          place: test.location && { path: channel.fileId(path), line: test.location.line },
        })
      }
    }

    onRunComplete(_contexts, { runExecError }) {
      if (runExecError) channel.sendRunError(runExecError)
    }

    getLastError() {}
  }
