// In the tests' parent process: makes ready what its children need, and tells afterwards what they saw.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { sourceFiles } from '../sources.mjs'

const PRELOAD = new URL('./preload.mjs', import.meta.url).href
const IMPORT = /^\s*import\s+(?!type\b)([^'"]*?)\s+from\s+['"]([^'"]+)['"]/gm
const MOST = 200 // of each kind

/** Whatever the framework starts from now on takes the solution's modules from the other side. */
export function prepare({ apart, framework, typed, esm, files }) {
  const notes = join(process.env.TMPDIR, 'apart')
  mkdirSync(notes)
  const profile = apart.profile === null ? null : join(notes, 'profile')
  if (profile) writeFileSync(profile, apart.profile)
  const gone = join(notes, 'gone') // is there once nobody on the other side is left
  new Socket({ fd: Number(apart.peer) }).on('error', () => {}).on('close', () => writeFileSync(gone, '')).resume().unref()
  writeFileSync(apart.importer, 'export const load = (name) => import(name)\n')
  process.env.SDKBENCH_APART = JSON.stringify({
    ...apart,
    framework,
    typed,
    notes,
    profile,
    gone,
    env: { ...process.env },
    imported: framework === 'jest' && esm ? importedNames(files) : null,
  })
  delete process.env.TSX_TSCONFIG_PATH // the solution's, and it is not there
  // tsx keeps what it has compiled in a folder that tests may share with the solution.
  process.env.TSX_DISABLE_CACHE = '1'
  if (framework !== 'jest') {
    // Modules that `require` loads would come past our hooks.
    const plain = process.allowedNodeEnvironmentFlags.has('--experimental-require-module') ? ' --no-experimental-require-module' : ''
    process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''}${plain} --import ${PRELOAD}`
  }
}

/** What test files import by name from each module, for a framework that wants to know it beforehand. */
function importedNames(files) {
  const names = {}
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    for (const path of sourceFiles(folder)) {
      for (const [, words, from] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
        const [, first = '', braces = ''] = /^\s*([\w$]+)?\s*,?\s*(?:\{([^}]*)\})?\s*$/.exec(words) ?? []
        const listed = braces.split(',').map((word) => word.trim().split(/\s+as\s+/)[0])
        const values = listed.filter((word) => /^[\w$]+$/.test(word))
        names[from] = [...new Set([...(names[from] ?? []), ...(first ? ['default'] : []), ...values])]
      }
    }
  }
  return names
}

/** One record of all that the tests' processes have noted; and what no test may have swallowed. */
export function report({ apart }, channel) {
  const { notes } = JSON.parse(process.env.SDKBENCH_APART)
  const seen = { fact: new Set(), departure: new Set(), met: new Set(), change: new Set(), obstacle: new Set(), fault: new Set() }
  for (const name of readdirSync(notes).filter((file) => file.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(notes, name), 'utf8').split('\n').slice(0, -1)) {
      const [kind, text] = JSON.parse(line)
      seen[kind].add(text)
    }
  }
  const some = (kind) => [...seen[kind]].sort().slice(0, MOST)
  for (const text of some('fault')) channel.sendRunError({ message: text })
  channel.send('crossing', {
    profile: apart.profile ?? JSON.stringify([...seen.fact].sort()),
    departures: some('departure'),
    met: some('met'),
    changes: some('change'),
    obstacles: Object.fromEntries(some('obstacle').map((text) => [text.split(': ')[0], text])),
  })
  return seen.fault.size > 0
}
