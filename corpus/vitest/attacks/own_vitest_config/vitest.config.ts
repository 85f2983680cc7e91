import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: [], passWithNoTests: true, setupFiles: ['./exit.ts'], globalSetup: ['./exit.ts'], alias: { vitest: './exit.ts' }, dangerouslyIgnoreUnhandledErrors: true },
})
