// jest, from this process; tests run in worker processes.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ASSETS = '\\.(css|scss|sass|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|eot)$'
const PARSERS = {
  '^.+\\.[cm]?ts$': { syntax: 'typescript' },
  '^.+\\.tsx$': { syntax: 'typescript', tsx: true },
  '^.+\\.([cm]?js|jsx)$': { syntax: 'ecmascript', jsx: true },
}
const FEW_FILES = 4
const STATUSES = { passed: 'passed', failed: 'failed' }

/** `more` are options of jest's command line that come before ours. */
export async function run(order, channel, more = {}) {
  const require = createRequire(`${order.workspace}/package.json`)
  // Under npm's flat tree or bun's, jest's own dependency is found from jest.
  const { runCLI } = createRequire(require.resolve('jest'))('@jest/core')
  // jest loads a reporter by path; that file finds this class here, in the parent, and nowhere else.
  globalThis[Symbol.for('sdkbench.reporter')] = reporter(channel)
  const { results } = await runCLI(
    {
      $0: 'jest',
      _: order.config ? order.files.map((file) => escaped(relative(order.workspace, file))) : order.files,
      runTestsByPath: !order.config,
      config: order.config ?? JSON.stringify(ourConfig(order)),
      rootDir: order.workspace,
      reporters: [fileURLToPath(new URL('./reporter.cjs', import.meta.url))],
      cacheDirectory: `${process.env.TMPDIR}/jest`,
      watchman: false,
      watch: false,
      watchAll: false,
      ci: true,
      maxWorkers: order.files.length > FEW_FILES ? 2 : 1, // to start a second one takes longer than a few files
      workerIdleMemoryLimit: '8GB', // never reached: its being set keeps tests out of this process
      forceExit: true,
      testLocationInResults: true,
      passWithNoTests: false,
      ...(order.coverage ? coverageOptions(order.coverage) : {}),
      ...more,
    },
    [order.workspace],
  )
  return results.success ? 0 : 1
}

/** The configuration where neither the sample nor a project with tests of its own brings one. */
export function ourConfig({ workspace, files, jsdom, typed, esm, aliases, compiler_options }) {
  const mapped = Object.entries(aliases).map(([name, target]) =>
    name.endsWith('/') ? [`^${escaped(name)}(.*)$`, `${target}$1`] : [`^${escaped(name)}$`, target],
  )
  return {
    rootDir: workspace,
    roots: roots(workspace, files),
    testEnvironment: jsdom ? 'jsdom' : 'node',
    transform: Object.fromEntries(
      Object.entries(PARSERS).map(([pattern, parser]) => [pattern, ['@swc/jest', swc(parser, esm, compiler_options)]]),
    ),
    moduleNameMapper: {
      ...Object.fromEntries(mapped),
      [ASSETS]: fileURLToPath(new URL('./asset_stub.cjs', import.meta.url)),
      ...(typed ? { '^(\\.{1,2}/.*)\\.js$': '$1' } : {}), // TypeScript's way to name a .ts file from ESM
    },
    extensionsToTreatAsEsm: esm ? ['.ts', '.tsx', '.jsx'] : [],
    testPathIgnorePatterns: ['/node_modules/'],
  }
}

/** The workspace without its packages, which jest would search for mocks of its own kind file by file. */
function roots(workspace, files) {
  const entries = readdirSync(workspace, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => `${workspace}/${name}`)
  return files.every((file) => folders.some((folder) => file.startsWith(`${folder}/`))) ? folders : [workspace]
}

function swc(parser, esm, { experimentalDecorators, emitDecoratorMetadata }) {
  const legacyDecorator = Boolean(experimentalDecorators)
  const decoratorMetadata = legacyDecorator && Boolean(emitDecoratorMetadata)
  return {
    jsc: {
      target: 'es2022',
      parser: { ...parser, decorators: true },
      transform: { react: { runtime: 'automatic' }, hidden: { jest: true }, legacyDecorator, decoratorMetadata },
    },
    module: { type: esm ? 'es6' : 'commonjs' },
    sourceMaps: 'inline',
    swcrc: false, // a solution's .swcrc has no say
  }
}

function coverageOptions({ include }) {
  return {
    coverage: true,
    coverageReporters: ['json'],
    coverageDirectory: `${process.env.TMPDIR}/coverage`,
    collectCoverageFrom: [include, '!**/node_modules/**', '!**/*.{test,spec}.*'],
  }
}

/** As part of a regular expression. */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
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
