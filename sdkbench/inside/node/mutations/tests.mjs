// The tests that a file declares, and what their ids look like.
import { ts, constantNamed, descendants, isPlainFunction } from './source.mjs'
import { eachTable, eachTitle, loopTable, loopTitle } from './tables.mjs'

const SUITE_MODIFIERS = new Set(['only', 'concurrent', 'sequential', 'shuffle', 'each', 'for'])
const TEST_MODIFIERS = new Set(['only', 'concurrent', 'sequential', 'each', 'for'])
const TABLES = new Set(['each', 'for'])
const ASIDE = new Set(['skip', 'todo', 'fails', 'failing', 'expectFailure'])
const REPEATS = new Set(['forEach', 'map'])
const SUBTESTS = new Set(['test', 'it', 'describe', 'suite'])
const PLACEHOLDER = /%[a-zA-Z#$%]|\$[\w.$]+/
export const ANYTHING = '(?s:.*)'

/**
 * Each with its `pattern` in Python's syntax, its callback and its `done`; `title` where it is written
 * as it is; `table` and `titleOf` where rows of values make several tests of it, each with a title.
 */
export function testsOf(source, names, framework) {
  const tests = []
  visit(source.file, [escape(source.path)], [])
  return tests

  function visit(node, titles, loops) {
    const declared = ts.isCallExpression(node) ? declaration(names, node) : undefined
    const loop = loopTable(source, node)
    const around = isLoop(node) ? [...loops, loop] : loops
    if (declared?.kind === 'suite') {
      const several = declared.table ? [...loops, undefined] : loops
      if (declared.callback) visit(declared.callback.body, [...titles, title(source, declared)], several)
    } else if (declared?.kind === 'test') {
      if (!declared.callback || hasSubtests(declared.callback)) return
      tests.push({ ...test(source, declared, titles, framework), ...rowsOf(source, declared, loops, titles) })
    } else if (!ts.isFunctionLike(node) || isRepeated(node)) {
      ts.forEachChild(node, (child) => void visit(child, titles, around))
    }
  }
}

function test(source, declared, titles, framework) {
  const pattern = [...titles, title(source, declared)].join('\\ >\\ ')
  const isPlain = ts.isStringLiteralLike(declared.title) && source.segment(declared.title).slice(1, -1) === declared.title.text
  const own = isPlain && !declared.table ? declared.title : undefined
  return { pattern, callback: declared.callback, done: done(declared, framework), title: own }
}

/** The rows of a test that is declared once and run with each of them. */
function rowsOf(source, { title, table: callee, callback, isFor }, loops, titles) {
  const table = callee ? eachTable(source, callee, callback, isFor) : loops[0]
  if (!table || loops.length > (callee ? 0 : 1)) return {}
  const titleOf = (row, at, others) => {
    if (!callee) return loopTitle(title, table, row, others)
    return ts.isStringLiteralLike(title) ? eachTitle(title.text, row, at, others) : undefined
  }
  const patternOf = (text) => [...titles, escape(text)].join('\\ >\\ ')
  return { table, titleOf, patternOf, shownIn: title }
}

function isLoop(node) {
  return ts.isIterationStatement(node, false) || (ts.isCallExpression(node) && isRepeated(node.arguments[0] ?? node))
}

/** `describe.each(…)('title', …)`, `test.only('title', { timeout: 5 }, …)`: its parts.
 *
 * Without `callback` where it is left out: it is skipped, or meant to fail, or can't be read.
 */
function declaration(names, call) {
  const { name, modifiers, table } = callee(call.expression)
  const kind = name === undefined ? undefined : names(name)?.kind
  if (kind !== 'suite' && kind !== 'test') return undefined
  const allowed = kind === 'suite' ? SUITE_MODIFIERS : TEST_MODIFIERS
  const callback = call.arguments.slice(1, 3).find(isPlainFunction)
  const fits = modifiers.every((one) => allowed.has(one)) && modifiers.some((one) => TABLES.has(one)) === table
  const options = call.arguments.slice(1).filter((one) => one !== callback)
  const isFor = modifiers.includes('for')
  const usable = fits && !options.some(isAside)
  return { kind, title: call.arguments[0], table: table && call.expression, isFor, callback: usable ? callback : undefined }
}

function callee(node) {
  const table = ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)
  if (table) node = ts.isCallExpression(node) ? node.expression : node.tag
  const modifiers = []
  while (ts.isPropertyAccessExpression(node)) {
    modifiers.unshift(node.name.text)
    node = node.expression
  }
  return { name: ts.isIdentifier(node) ? node.text : undefined, modifiers, table }
}

/** Options that may set a test aside; a number, or a name for one, is a time limit. */
function isAside(option) {
  if (ts.isNumericLiteral(option)) return false
  if (!ts.isObjectLiteralExpression(option)) return !ts.isIdentifier(option)
  return option.properties.some((member) => {
    if (!ts.isPropertyAssignment(member)) return true
    return ASIDE.has(member.name.text) && member.initializer.kind !== ts.SyntaxKind.FalseKeyword
  })
}

/** A subtest's failure is its parent's too: neither has an id that fails alone. */
function hasSubtests(callback) {
  const context = callback.parameters[0]?.name
  if (!context || !ts.isIdentifier(context)) return false
  return [...descendants(callback.body)].some((node) => {
    return ts.isPropertyAccessExpression(node) && node.expression.text === context.text && SUBTESTS.has(node.name.text)
  })
}

/** The parameter whose call ends the test, where there can be one. */
function done({ callback, table }, framework) {
  if (framework === 'vitest') return undefined
  const { parameters } = callback
  const last = table ? parameters.at(-1) : parameters[framework === 'node_test' ? 1 : 0]
  const name = last && ts.isIdentifier(last.name) ? last.name.text : undefined
  return !table || /^(done|next|cb|callback)$/.test(name) ? name : undefined
}

/** Declared in a loop written as a call; other functions may be called from anywhere. */
function isRepeated(node) {
  const call = node.parent
  if (!isPlainFunction(node) || !ts.isCallExpression(call) || call.arguments[0] !== node) return false
  return ts.isPropertyAccessExpression(call.expression) && REPEATS.has(call.expression.name.text)
}

function title(source, { title: node, table }) {
  const fixed = table ? (text) => text.split(PLACEHOLDER).map(escape).join(ANYTHING) : escape
  return words(source, node, fixed)
}

/** A title as a pattern: `fixed` of what is written down, and a wildcard for the rest. */
function words(source, node, fixed) {
  if (node && ts.isStringLiteralLike(node)) return fixed(node.text)
  if (node && ts.isTemplateExpression(node)) {
    const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
    return parts.map(fixed).join(ANYTHING)
  }
  if (node && ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return words(source, node.left, fixed) + words(source, node.right, fixed)
  }
  const constant = node && ts.isIdentifier(node) ? constantNamed(source, node.text) : undefined
  return constant && ts.isStringLiteralLike(constant) ? fixed(constant.text) : ANYTHING
}

/** As Python's re.escape does. */
function escape(text) {
  return text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&')
}
