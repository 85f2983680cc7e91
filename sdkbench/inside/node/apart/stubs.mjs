// Files in place of the solution's modules, where a test file's text says all that it imports: hooks need a
// thread of their own, which takes longer to start than most tests to run.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const STATIC = /(?:^|[;}\n])\s*(?:import|export)\b(?:[^'"`;()]*?\bfrom)?\s*(['"])([^'"\n]+)\1/g
const LATER = /\bimport\s*[(.]/ // what is imported then, or asked of, nobody knows beforehand; `import.meta` names no module
const META = /\bimport\s*\.\s*meta\s*\.\s*(?:url|dirname|filename)\b/g
const SOURCE = /\.[cm]?js$/

/** The solution's modules that `entry` imports, in their order; null where its text does not tell.
 *
 * @param {string} entry a test file
 * @param {(path: string) => boolean} holds whether a file is one of the solution's modules
 */
export function importedModules(entry, holds) {
  const modules = new Set()
  const seen = new Set([entry])
  for (const path of seen) {
    if (!SOURCE.test(path) || path.endsWith('.cjs') || !existsSync(path)) return null
    const text = readFileSync(path, 'utf8')
    if (LATER.test(text.replace(META, ''))) return null
    for (const [, , name] of text.matchAll(STATIC)) {
      if (name.includes('?') || name.startsWith('#') || name.startsWith('/')) return null
      if (name.startsWith('.')) {
        const file = resolve(dirname(path), name)
        if (!holds(file)) seen.add(file)
        else if (isModule(file)) modules.add(file)
        else return null
      } else if (!isBuiltin(name) && !isPackage(name, path)) return null
    }
  }
  return [...modules]
}

/** One found in a folder of packages, not by a name that a package has for itself. */
function isPackage(name, from) {
  const words = name.split('/').slice(0, name.startsWith('@') ? 2 : 1)
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', ...words, 'package.json'))) return true
    if (folder === dirname(folder)) return /^node:/.test(name)
  }
}

/** Whether Node takes a file for a module, not for a script. */
function isModule(file) {
  if (!existsSync(file) || file.endsWith('.cjs')) return false
  if (file.endsWith('.mjs')) return true
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).type === 'module'
  }
  return false
}

/** Other processes of tests may do the same at the same time. */
export function putInPlace(file, text) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, file)
}

/** Variables, because the solution may change what it exports. */
export function exporting(names) {
  const variables = names.map((name, index) => `let _${index}\nexport { _${index} as ${JSON.stringify(name)} }`)
  const updates = names.map((name, index) => `_${index} = values[${JSON.stringify(name)}]`)
  const path = 'decodeURIComponent(new URL(import.meta.url).pathname)'
  return `${variables.join('\n')}\nglobalThis[Symbol.for('sdkbench.apart')].follow(${path}, (values) => { ${updates.join('; ')} })\n`
}
