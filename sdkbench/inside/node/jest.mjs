// jest, from this process; tests run in worker processes.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import reporter from './reporters/jest.cjs'

const ASSETS = '\\.(css|scss|sass|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|eot)$'
const PARSERS = {
  '^.+\\.[cm]?ts$': { syntax: 'typescript' },
  '^.+\\.tsx$': { syntax: 'typescript', tsx: true },
  '^.+\\.([cm]?js|jsx)$': { syntax: 'ecmascript', jsx: true },
}
const FEW_FILES = 4

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
      ...(order.shuffle_seed == null ? {} : { randomize: true, seed: order.shuffle_seed + 1 }),
      ...(order.coverage ? coverageOptions(order.coverage) : {}),
      ...(order.apart ? { resolver: fileURLToPath(new URL('./apart/jest_resolver.cjs', import.meta.url)) } : {}),
      ...more,
    },
    [order.workspace],
  )
  return results.success ? 0 : 1
}

/** The solution's side of tests that run apart: files of ours, in place of the tests, that never end. */
export async function serve(order) {
  const silent = { sendStart() {}, sendCase() {}, sendRunError() {}, sendFinished() {} }
  const workers = order.files.length > FEW_FILES ? 2 : 1
  await run({ ...order, apart: null }, silent, { maxWorkers: workers + 1 }) // one is ready when another is done
}

/** The configuration where neither the sample nor a project with tests of its own brings one. */
export function ourConfig({ workspace, files, jsdom, typed, esm, aliases, compiler_options }) {
  const mapped = Object.entries(aliases).map(([name, target]) =>
    name.endsWith('/') ? [`^${escaped(name)}(.*)$`, `${target}$1`] : [`^${escaped(name)}$`, target],
  )
  return {
    rootDir: workspace,
    roots: roots(workspace, files),
    haste: { forceNodeFilesystemAPI: true }, // a search of few folders: no process for it
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
