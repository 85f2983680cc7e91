// jest, from this process; tests run in worker processes.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export async function run(order, channel) {
  const require = createRequire(`${order.workspace}/package.json`)
  // Under npm's flat tree or bun's, jest's own dependency is found from jest.
  const { runCLI } = createRequire(require.resolve('jest'))('@jest/core')
  // The reporter is loaded by path; it finds the channel here, in the parent, and nowhere else.
  globalThis[Symbol.for('sdkbench.reporting')] = { order, channel }
  const reporter = fileURLToPath(new URL('./jest_reporter.cjs', import.meta.url))
  const { results } = await runCLI(
    {
      $0: 'jest',
      _: order.config ? order.patterns : order.files,
      runTestsByPath: !order.config,
      config: order.config ?? JSON.stringify(order.jest_config),
      rootDir: order.workspace,
      reporters: [reporter],
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
