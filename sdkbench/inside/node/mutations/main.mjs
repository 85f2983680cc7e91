// Finds every way to make one of the tests fail by changing what it expects; writes them as JSON.
//
// Run as `node main.mjs TYPESCRIPT FRAMEWORK ROOT FILE…`, each FILE below ROOT.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { namesOf } from './names.mjs'
import { Paths } from './paths.mjs'
import { Source, ts, isAsync } from './source.mjs'
import { ANYTHING, testsOf } from './tests.mjs'

const [framework, root, ...files] = process.argv.slice(3)
process.stdout.write(JSON.stringify(files.flatMap(mutations)))

/**
 * @typedef {object} Mutation as test_harness/mutation.py has it
 * @property {string} path the test file, below ROOT
 * @property {string} tests a pattern in Python's syntax that the ids of the tests match
 * @property {number} start in characters as Python counts them
 * @property {number} end
 * @property {string} replacement
 * @property {'value' | 'sense'} kind another value is expected, or the opposite
 * @property {number} line of `start`, from 1
 * @property {{start: number, end: number, replacement: string}[]} also what goes with it
 * @property {[string, string]} [renamed] the last such text of the ids, and what it is then
 */

/** @returns {Mutation[]} */
function mutations(path) {
  const text = textOf(join(root, path))
  const source = text === undefined ? undefined : new Source(path, text)
  // A test file that can't be read has no tests that pass: the reference run says why.
  if (!source?.parses) return []
  const groups = groupsOf(source)
  source.withSizes = true
  const wider = new Map(groupsOf(source).map((group) => [group.pattern, group]))
  return groups.flatMap((group) => {
    const hasValue = group.edits.some(({ kind }) => kind === 'value')
    const { pattern, edits } = hasValue ? group : (wider.get(group.pattern) ?? group)
    return edits.map((edit) => mutation(source, pattern, edit))
  })
}

function groupsOf(source) {
  const names = namesOf(source, framework)
  return grouped(testsOf(source, names, framework), new Paths(source, names))
}

/** @returns {Mutation} */
function mutation(source, pattern, { kind, start, end, replacement, also = [], renamed }) {
  const placed = (one) => ({ start: source.place(one.start), end: source.place(one.end), replacement: one.replacement })
  return {
    path: source.path,
    tests: pattern,
    ...placed({ start, end, replacement }),
    kind,
    line: source.line(start),
    also: also.map(placed),
    ...(renamed && { renamed }),
  }
}

/** Without a byte order mark; undefined where it isn't UTF-8. */
function textOf(path) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined
    throw error
  }
}

/**
 * Groups of tests, each with its `pattern` and `edits`: each edit makes the whole group fail.
 *
 * A test is in one group at most; tests that nothing can fail are in none.
 */
function grouped(tests, paths) {
  const analysed = tests.map((test) => ({ ...test, ...paths.ofTest(test) }))
  const rows = ({ rows, helpers }) => rows.map((row) => ({ ...row, helpers }))
  const entries = distinct(analysed.flatMap((entry) => (entry.rows.length ? rows(entry) : entry)))
  const shared = sharedGroups(entries, paths)
  const taken = new Set(shared.flatMap(({ members }) => members))
  const alone = entries.filter((entry) => !taken.has(entry)).map((entry) => ({ ...entry, members: [entry] }))
  return [...alone, ...shared].map(({ members, expectations }) => ({
    pattern: either(members),
    edits: spread(expectations).map((edit) => titled(edit, members.length === 1 ? members[0].title : undefined, paths.source)),
  }))
}

/** With the same change of the title, where that tells the value. */
function titled(edit, title, source) {
  const [before, after] = [source.text.slice(edit.start, edit.end), edit.replacement].map((text) => text.replace(/^(['"`])([^]*)\1$/, '$2'))
  const told = title && edit.kind === 'value' && /^\w[\w .:/@-]*$/.test(before) && /^[\w .:/@-]+$/.test(after)
  if (!told) return edit
  const start = title.getStart() + 1
  const word = new RegExp(`(?<!\\w)${before.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}(?!\\w)`, 'g')
  const other = title.text.replace(word, () => after)
  if (other === title.text) return edit
  return { ...edit, also: [{ start, end: title.end - 1, replacement: other }], renamed: [title.text, other] }
}

/** Without those whose pattern would match another test's id too. */
function distinct(tests) {
  return tests.filter((test) => {
    const pattern = new RegExp(`^${test.pattern.replaceAll(ANYTHING, '[^]*')}$`)
    return !tests.some((other) => other !== test && pattern.test(sample(other.pattern)))
  })
}

/** An id that the pattern matches. */
function sample(pattern) {
  return pattern.replaceAll(ANYTHING, 'x').replace(/\\([^])/g, '$1')
}

/** For tests that expect nothing themselves: all the tests that call the same function of the file. */
function sharedGroups(entries, paths) {
  const groups = []
  const taken = new Set()
  for (const entry of entries.filter(({ expectations }) => !expectations.length)) {
    if (taken.has(entry)) continue
    const options = [...entry.helpers]
      .filter((name) => isCertain(name, paths))
      .map((name) => ({
        // What a plain function returns may be awaited by one of its callers and not by another.
        expectations: paths.ofHelper(name, isAsync(paths.helpers.get(name))).expectations,
        members: entries.filter(({ helpers }) => helpers.has(name)),
      }))
      .filter(({ expectations, members }) => expectations.length && !members.some((member) => taken.has(member)))
      .sort((one, other) => one.members.length - other.members.length)
    if (!options.length) continue
    groups.push(options[0])
    for (const member of options[0].members) taken.add(member)
  }
  return groups
}

/** Whether every mention of the function is a call that no passing test goes past. */
function isCertain(name, paths, seen = new Set()) {
  if (seen.has(name)) return true
  seen.add(name)
  return paths.source.nodes.every((node) => {
    if (!ts.isIdentifier(node) || node.text !== name || node.parent.name === node) return true
    if (!paths.certain.has(node)) return false
    const caller = [...paths.helpers].find(([, helper]) => contains(helper, node))
    return !caller || isCertain(caller[0], paths, seen)
  })
}

function contains(outer, inner) {
  return outer.pos <= inner.pos && inner.end <= outer.end
}

/** Other values first, and of as many expectations as there are: the first way at each before a second. */
function spread(expectations) {
  const ranked = expectations.flatMap((edits) => edits.map((edit, rank) => ({ edit, rank })))
  const isSense = ({ edit }) => Number(edit.kind === 'sense')
  ranked.sort((one, other) => isSense(one) - isSense(other) || one.rank - other.rank)
  return ranked.map(({ edit }) => edit)
}

function either(members) {
  const patterns = members.map(({ pattern }) => pattern)
  return patterns.length === 1 ? patterns[0] : `(?:${patterns.join('|')})`
}
