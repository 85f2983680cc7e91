// vitest, from this process; tests run in forked children.
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import './cpu_count.cjs'
import { reporterOf } from './reporters/vitest.mjs'

const CPU_COUNT = fileURLToPath(new URL('./cpu_count.cjs', import.meta.url))
const APART_WORKERS = 2 // test files at once, where each has a process of the solution's to itself

export async function run(order, channel) {
  const require = createRequire(`${order.workspace}/package.json`)
  const reporter = reporterOf(require('vitest/package.json').version, channel)
  const apart = order.apart && { maxWorkers: APART_WORKERS, plugins: [solutionElsewhere(order.apart)] }
  return start(order, reporter, apart ?? {})
}

/** The solution's side of tests that run apart: files of ours, in place of the tests, that never end. */
export async function serve(order) {
  await start(order, {}, { maxWorkers: APART_WORKERS + 1 }) // one is ready when another is done
}

async function start(order, reporter, { maxWorkers, plugins = [] }) {
  const require = createRequire(`${order.workspace}/package.json`)
  const { startVitest } = await import(pathToFileURL(require.resolve('vitest/node')).href)
  const options = {
    root: order.workspace,
    config: order.config ?? false,
    run: true,
    watch: false,
    reporters: [reporter],
    pool: 'forks',
    ...(order.own ? {} : { poolOptions: { forks: { execArgv: ['--require', CPU_COUNT] } } }),
    ...(order.shuffle_seed == null ? {} : { sequence: { shuffle: { files: true, tests: true }, seed: order.shuffle_seed + 1 } }),
    ...(order.own ? {} : { minWorkers: 0 }), // else a process more is started when the last file is done
    ...(maxWorkers ? { maxWorkers } : {}),
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
  const vitest = await startVitest('test', order.files, options, { ...overrides, plugins })
  const status = Number(process.exitCode ?? 0)
  await vitest?.close()
  return status
}

/** The modules of the other side: what they export is asked for where they are imported (apart/preload.mjs). */
function solutionElsewhere({ root, drivers }) {
  const folders = [root, ...drivers].map((folder) => `${folder}/`)
  return {
    name: 'solution-elsewhere',
    enforce: 'pre',
    load(id) {
      const path = id.replace(/[?#].*$/, '')
      if (!folders.some((folder) => path.startsWith(folder)) || path.includes('/node_modules/') || !/\.([cm]?[jt]s|[jt]sx)$/.test(path)) return null
      return [
        `const exported = globalThis[Symbol.for('sdkbench.apart')].open(${JSON.stringify(path)}, 'import')`,
        'for (const name of Object.keys(exported)) {',
        '  Object.defineProperty(__vite_ssr_exports__, name, { enumerable: true, configurable: true, get: () => exported[name] })',
        '}',
      ].join('\n')
    },
  }
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
