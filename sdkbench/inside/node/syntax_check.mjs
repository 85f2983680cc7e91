// Does every source file parse as its language? Run as `node syntax_check.mjs TYPESCRIPT FOLDER`.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { sourceFiles } from './sources.mjs'

const [typescript, root] = process.argv.slice(2)
const ts = createRequire(import.meta.url)(typescript)
const MAX_BYTES = 2 * 1024 * 1024 // what is larger is data

let wrong = 0
for (const path of sourceFiles(root)) {
  const text = readFileSync(path, 'utf8')
  if (text.length > MAX_BYTES) continue
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
