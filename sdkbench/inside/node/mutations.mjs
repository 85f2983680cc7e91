// Every way to make one of the tests fail by changing what it expects, as JSON.
//
// Run as `node node_alterations.mjs TYPESCRIPT FRAMEWORK ROOT FILE…`, each FILE below ROOT.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { grouped } from './mutations/groups.mjs'
import { namesOf } from './mutations/names.mjs'
import { Paths } from './mutations/paths.mjs'
import { Source } from './mutations/source.mjs'
import { testsOf } from './mutations/tests.mjs'

const [framework, root, ...files] = process.argv.slice(3)
process.stdout.write(JSON.stringify(files.flatMap(alterations)))

function alterations(path) {
  const text = textOf(join(root, path))
  const source = text === undefined ? undefined : new Source(path, text)
  // A test file that can't be read has no tests that pass: the reference run tells why.
  if (!source?.parses) return []
  const names = namesOf(source, framework)
  const groups = grouped(testsOf(source, names, framework), new Paths(source, names))
  return groups.flatMap(({ pattern, edits }) =>
    edits.map(({ kind, start, end, replacement }) => ({
      path,
      tests: pattern,
      start: source.place(start),
      end: source.place(end),
      replacement,
      kind,
      line: source.line(start),
    })),
  )
}

/** Without a byte order mark; nothing where it isn't UTF-8. */
function textOf(path) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined
    throw error
  }
}
