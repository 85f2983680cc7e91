import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: join(tmpdir(), 'sdkbench-vite'),
  esbuild: {
    // A string keeps esbuild from reading the tsconfig.json of the judged solution.
    tsconfigRaw: JSON.stringify({ compilerOptions: { target: 'ES2022' } }),
  },
  test: {
    // Tests of ours only, never a test file that a solution brings along.
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
  },
})
