// Does every source file parse as its language? Run as `node syntax_check.mjs TYPESCRIPT FOLDER [own]`.
//
// In a project with tests of its own, those and what they read are the framework's business: a parser's
// tests may well read files that don't parse.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { sourceFiles } from './sources.mjs'

const [typescript, root, own] = process.argv.slice(2)
const ts = createRequire(import.meta.url)(typescript)
const MAX_BYTES = 2 * 1024 * 1024 // what is larger is data

// Beside tests, what is there to be shown or filled in.
const ASIDE = /(^|[-_.])(tests?|specs?|fixtures?|mocks?|examples?|benchmarks?|templates?|vendor|third[-_]party)_*$/

let wrong = 0
for (const path of sourceFiles(root)) {
  if (own && relative(root, dirname(path)).split('/').some((folder) => ASIDE.test(folder))) continue
  const text = readFileSync(path, 'utf8')
  if (text.length > MAX_BYTES || /^\ufeff?<\?xml|\0/.test(text)) continue // translations and films have .ts too
  // Plain .js may hold JSX where a framework compiles it; .ts may not.
  const kind = /\.([cm]?js|jsx)$/.test(path) ? ts.ScriptKind.JSX : undefined
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  for (const problem of file.parseDiagnostics) {
    const { line, character } = file.getLineAndCharacterOfPosition(problem.start)
    const message = ts.flattenDiagnosticMessageText(problem.messageText, ' ')
    console.log(`${relative(root, path)}(${line + 1},${character + 1}): error TS${problem.code}: ${message}`)
    wrong++
    break // one is enough for a file: the rest follows from it
  }
}
process.exit(wrong ? 1 : 0)
