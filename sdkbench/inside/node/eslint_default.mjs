// eslint's recommended rules for projects that bring no configuration of their own.
import { createRequire } from 'node:module'

const require = createRequire(`${process.env.SDKBENCH_TOOLS}/package.json`)
const js = require('@eslint/js')
const typescript = require('typescript-eslint')
const globals = require('globals')

export default [
  { ignores: ['**/node_modules/**', '**/.next/**', '**/dist/**', '**/build/**'] },
  js.configs.recommended,
  ...typescript.configs.recommended,
  { languageOptions: { globals: { ...globals.node, ...globals.browser, ...globals.jest, ...globals.mocha, ...globals.vitest } } },
  // CommonJS is no fault of plain JavaScript; nor is a test of chai's, which is an expression.
  { files: ['**/*.{js,cjs,mjs,jsx}'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['**/*.{test,spec}.*', '**/{test,tests,__tests__,spec}/**'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } },
]
