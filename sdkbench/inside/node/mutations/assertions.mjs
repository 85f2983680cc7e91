// Calls of node:assert and of chai's assert, and edits after which they hold where they did not.
import { ts, bare, isAsync, isPlainFunction } from './source.mjs'
import { expectedValues, valueEdits } from './values.mjs'

const both = (pairs) => ({ ...pairs, ...Object.fromEntries(Object.entries(pairs).map(([one, other]) => [other, one])) })
const NODE = {
  opposites: both({
    equal: 'notEqual',
    strictEqual: 'notStrictEqual',
    deepEqual: 'notDeepEqual',
    deepStrictEqual: 'notDeepStrictEqual',
    match: 'doesNotMatch',
    throws: 'doesNotThrow',
    rejects: 'doesNotReject',
  }),
  values: {
    equal: ['-', 'loose'],
    strictEqual: ['-', 'exact'],
    deepEqual: ['-', 'loose'],
    deepStrictEqual: ['-', 'exact'],
    partialDeepStrictEqual: ['-', 'within'],
    match: ['-', 'within'],
    throws: ['-', 'refused'],
    rejects: ['-', 'refused'],
  },
  others: {},
  truths: new Set(['ok']),
}
const CHAI_TYPES = ['Array', 'Object', 'Function', 'String', 'Number', 'Boolean', 'Null', 'NaN', 'True', 'False', 'Empty']
const CHAI = {
  opposites: both({
    equal: 'notEqual',
    strictEqual: 'notStrictEqual',
    deepEqual: 'notDeepEqual',
    ok: 'notOk',
    isOk: 'isNotOk',
    isUndefined: 'isDefined',
    exists: 'notExists',
    include: 'notInclude',
    deepInclude: 'notDeepInclude',
    match: 'notMatch',
    property: 'notProperty',
    propertyVal: 'notPropertyVal',
    sameMembers: 'notSameMembers',
    instanceOf: 'notInstanceOf',
    typeOf: 'notTypeOf',
    isAbove: 'isAtMost',
    isBelow: 'isAtLeast',
    throws: 'doesNotThrow',
    ...Object.fromEntries(CHAI_TYPES.map((type) => [`is${type}`, `isNot${type}`])),
  }),
  values: {
    equal: ['-', 'loose'],
    strictEqual: ['-', 'exact'],
    deepEqual: ['-', 'exact'],
    lengthOf: ['-', 'exact'],
    sameMembers: ['-', 'exact'],
    propertyVal: ['-', '-', 'exact'],
    include: ['-', 'within'],
    deepInclude: ['-', 'within'],
    match: ['-', 'within'],
    property: ['-', 'within'],
    throws: ['-', 'thrown', 'within'],
    instanceOf: ['-', 'instance'],
    typeOf: ['-', 'type'],
  },
  others: both({ isTrue: 'isFalse', isNull: 'isUndefined' }),
  truths: new Set(),
}
const COMPARISONS = both({ '===': '!==', '==': '!=', '<': '>=', '>': '<=' })
// What `!` can stand before without parentheses.
const BINDING_TIGHTLY = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ElementAccessExpression,
  ts.SyntaxKind.AwaitExpression,
])
const SEARCHES = new Set(['includes', 'startsWith', 'endsWith', 'test'])
const ASYNC = new Set(['rejects', 'doesNotReject'])
const VALIDATING = new Set(['throws', 'rejects'])

export function assertion(source, names, call, settled) {
  const called = calledAssert(names, call.expression)
  if (!called || call.questionDotToken || call.arguments.some(ts.isSpreadElement)) return undefined
  const { name, library, renamed } = called
  if (ASYNC.has(name) && !settled) return undefined
  const expected = expectedValues(own(library.values, name), call.arguments)
  const isTruth = name === undefined || library.truths.has(name)
  const rename = (kind, other) => (renamed && other ? source.edit(kind, renamed.getStart(), renamed.end, other) : [])
  const edits = [
    ...expected.flatMap((one) => valueEdits(source, one)),
    ...(isTruth && call.arguments.length ? truthEdits(source, call.arguments[0]) : []),
    ...rename('value', own(library.others, name)),
    ...rename('sense', own(library.opposites, name)),
  ]
  return { edits, expected, validator: library === NODE && VALIDATING.has(name) ? validator(call) : undefined }
}

function own(table, name) {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

/** `assert.equal` → its name and library; `renamed` is where another name may stand. */
function calledAssert(names, callee) {
  if (ts.isIdentifier(callee)) {
    const meant = names(callee.text)
    if (meant?.kind === 'assertFunction') return { name: meant.name, library: NODE }
    if (meant?.kind === 'assert') return { name: undefined, library: NODE }
    return meant?.kind === 'chaiAssert' ? { name: undefined, library: CHAI } : undefined
  }
  if (!ts.isPropertyAccessExpression(callee) || callee.questionDotToken) return undefined
  const library = libraryOf(names, callee.expression)
  return library && { name: callee.name.text, library, renamed: callee.name }
}

function libraryOf(names, node) {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const kind = names(node.expression.text)?.kind
    if (kind === 'assert' && node.name.text === 'strict') return NODE
    return kind === 'chai' && node.name.text === 'assert' ? CHAI : undefined
  }
  const kind = ts.isIdentifier(node) ? names(node.text)?.kind : undefined
  return { assert: NODE, chaiAssert: CHAI }[kind]
}

/** A function that judges what was thrown: it has run, unless the assertion failed. */
function validator(call) {
  const given = call.arguments[1] && bare(call.arguments[1])
  return isPlainFunction(given) && !isAsync(given) ? given : undefined
}

/** Edits that make a true expression false. */
export function truthEdits(source, expression) {
  const node = bare(expression)
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return source.edit('sense', node.getStart(), node.operand.getStart(), '')
  }
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText()
    if (operator === '&&') return [...truthEdits(source, node.left), ...truthEdits(source, node.right)]
    if (Object.hasOwn(COMPARISONS, operator)) {
      const [start, end] = [node.operatorToken.getStart(), node.operatorToken.end]
      return [...comparedEdits(source, node, operator), ...source.edit('sense', start, end, COMPARISONS[operator])]
    }
    const negated = source.edit('sense', node.getStart(), node.end, `!(${source.segment(node)})`)
    return [...comparedEdits(source, node, operator), ...negated]
  }
  const negated = BINDING_TIGHTLY.has(node.kind) ? source.edit('sense', node.getStart(), node.getStart(), '!') : []
  return [...(ts.isCallExpression(node) ? searchEdits(source, node) : []), ...negated]
}

function comparedEdits(source, { right }, operator) {
  const way = own({ '===': 'exact', '==': 'loose', instanceof: 'instance' }, operator)
  return way ? valueEdits(source, { node: right, way }) : []
}

/** `text.includes('a word')`, `/a word/.test(text)`. */
function searchEdits(source, { expression, arguments: given }) {
  if (!ts.isPropertyAccessExpression(expression) || given.length !== 1) return []
  const sought = { node: expression.name.text === 'test' ? expression.expression : given[0], way: 'within' }
  return SEARCHES.has(expression.name.text) ? valueEdits(source, sought) : []
}
