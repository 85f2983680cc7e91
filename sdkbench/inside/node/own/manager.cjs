// pnpm and yarn, for scripts that call them: all that is installed is there, so that npm can run the rest.
//
// Run as `node manager.cjs (pnpm|yarn) ARGUMENT…`. What it doesn't know ends as a program that isn't there.
const { spawnSync } = require('node:child_process')
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { dirname, join, resolve } = require('node:path')

const INSTALLING = new Set([undefined, 'install', 'i', 'add', 'ci', 'dedupe', 'prepare'])
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', 'dist', 'test', 'tests', 'fixtures'])
const MAX_DEPTH = 3 // of a workspace's members below its root

function end(status) {
  process.exit(status ?? 1)
}

function run(program, words, cwd) {
  const { status } = spawnSync(program, words, { cwd, stdio: 'inherit' })
  return status ?? 1
}

const scriptsOf = (folder) => manifestOf(folder)?.scripts ?? {}

function manifestOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** The folder that holds a package, from here upwards. */
function packageFolder(folder) {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder
  return packageFolder(dirname(folder))
}

/** A program of an installed package, from here upwards. */
function installed(name, folder) {
  const program = join(folder, 'node_modules/.bin', name)
  if (existsSync(program)) return program
  return dirname(folder) === folder ? undefined : installed(name, dirname(folder))
}

function members(root, depth = 0) {
  if (depth === MAX_DEPTH) return []
  const folders = readdirSync(root, { withFileTypes: true }).filter((one) => one.isDirectory() && !SKIPPED_FOLDERS.has(one.name))
  return folders.flatMap(({ name }) => {
    const folder = join(root, name)
    return [...(manifestOf(folder)?.name ? [folder] : []), ...members(folder, depth + 1)]
  })
}

/** Options before the command, which say where it runs. */
function parsed(words) {
  const asked = { filters: [], recursive: false, folder: process.cwd() }
  const rest = [...words]
  while (rest[0]?.startsWith('-')) {
    const [option, value] = rest.shift().split('=')
    if (option === '--filter' || option === '-F') asked.filters.push(value ?? rest.shift())
    else if (option === '-C' || option === '--dir' || option === '--cwd' || option === '--prefix') asked.folder = resolve(value ?? rest.shift())
    else if (option === '-r' || option === '--recursive') asked.recursive = true
  }
  return { ...asked, rest }
}

function folders({ filters, recursive, folder }) {
  const root = packageFolder(folder)
  if (!filters.length) return recursive ? members(root) : [root]
  const names = filters.map((filter) => filter.replace(/[.{}]|\^/g, '').replace(/^\//, ''))
  return members(root).filter((one) => names.some((name) => manifestOf(one).name === name || one.endsWith(`/${name}`)))
}

const [manager, ...given] = process.argv.slice(2)
const first = parsed(given)
let [command, ...words] = first.rest
if (command === 'workspace') {
  first.filters.push(words.shift())
  command = words.shift()
}
if (command === 'run' || command === 'run-script') {
  const more = parsed(words)
  Object.assign(first, { filters: [...first.filters, ...more.filters], recursive: first.recursive || more.recursive })
  ;[command, ...words] = more.rest
}
if (command === 'exec' || command === 'dlx') command = words.shift()
if (INSTALLING.has(command) && !scriptsOf(packageFolder(first.folder))[command]) end(0) // it is installed
/** Scripts by name, or by pnpm's `/^build:/`. */
function named(pattern, scripts) {
  const expression = /^\/(.+)\/$/.exec(pattern ?? '')
  return expression ? Object.keys(scripts).filter((name) => new RegExp(expression[1]).test(name)) : [pattern]
}

const wanted = folders(first).flatMap((folder) => named(command, scriptsOf(folder)).map((name) => ({ folder, command: name })))
for (const { folder, command } of wanted) {
  const isScript = scriptsOf(folder)[command] !== undefined
  const program = installed(command, folder)
  if (!isScript && !program && (first.recursive || first.filters.length)) continue
  if (!isScript && !program) {
    console.error(`${manager}: ${command} is neither a script of package.json nor an installed program`)
    console.error(`sh: 1: ${manager}: not found`)
    end(127)
  }
  const status = isScript ? run('npm', ['run', '--silent', command, ...(words.length ? ['--', ...words] : [])], folder) : run(program, words, folder)
  if (status) end(status)
}
end(0)
