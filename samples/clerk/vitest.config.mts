import { existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const EXTENSIONS = ['', '.tsx', '.ts', '.jsx', '.js', '.mjs', '/index.tsx', '/index.ts', '/index.jsx', '/index.js']

/** `@/x` means a file of the judged solution, whether it keeps its sources in `src/` or not. */
function solutionAlias(): Plugin {
  return {
    name: 'solution-alias',
    enforce: 'pre',
    resolveId(source) {
      if (!source.startsWith('@/')) return null
      const stem = source.slice('@/'.length)
      for (const folder of ['expected/src', 'expected']) {
        for (const extension of EXTENSIONS) {
          const path = join(root, folder, stem + extension)
          if (existsSync(path) && statSync(path).isFile()) return path
        }
      }
      return null
    },
  }
}

export default defineConfig({
  root,
  cacheDir: join(tmpdir(), 'sdkbench-vite'),
  plugins: [solutionAlias()],
  resolve: {
    alias: [
      // The real package throws wherever the bundler has not set the react-server condition.
      { find: 'server-only', replacement: join(root, 'solution_driver/empty.ts') },
      // What only a server of Next.js has. Not vi.mock: of two imports at once, one would get the real module.
      { find: /^next\/headers(\.js)?$/, replacement: join(root, 'solution_driver/request-scope.ts') },
      { find: /^next\/cache(\.js)?$/, replacement: join(root, 'solution_driver/next-cache.ts') },
    ],
  },
  esbuild: {
    jsx: 'automatic',
    // A string keeps esbuild from reading the tsconfig.json of the judged solution.
    tsconfigRaw: JSON.stringify({ compilerOptions: { jsx: 'react-jsx', target: 'ES2022' } }),
  },
  test: {
    // Tests of ours only, never a test file that a solution brings along.
    include: ['tests/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Where the solution runs apart from its tests, only the driver is there.
    setupFiles: ['support/setup.ts', 'solution_driver/setup.ts'].map((file) => join(root, file)).filter(existsSync),
    restoreMocks: true,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Clerk asks for `next/headers`, which is another one here: that works for inlined modules only.
    server: { deps: { inline: [/@clerk\/nextjs/] } },
  },
})
