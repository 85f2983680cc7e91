// What an expression of a test expects, and edits after which it expects something else.
//
// Every edit is complementary: where the original holds, the edited one does not.
import { assertion } from './assertions.mjs'
import { ts } from './source.mjs'
import { expectedValues, valueEdits } from './values.mjs'

const words = (text) => new Set(text.trim().split(/\s+/))

// Matchers of jest, vitest and jest-dom that say yes or no at once; no snapshots.
const MATCHERS = words(`
  toBe toEqual toStrictEqual toMatchObject toHaveLength toHaveProperty toContain toContainEqual toMatch toThrow
  toThrowError toBeTruthy toBeFalsy toBeNull toBeUndefined toBeDefined toBeNaN toBeNullable toBeInstanceOf toBeTypeOf
  toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual toBeCloseTo toBeOneOf toSatisfy
  toHaveBeenCalled toHaveBeenCalledOnce toHaveBeenCalledTimes toHaveBeenCalledWith toHaveBeenLastCalledWith
  toHaveBeenNthCalledWith toHaveBeenCalledExactlyOnceWith toHaveReturned toHaveReturnedTimes toHaveReturnedWith
  toHaveLastReturnedWith toHaveNthReturnedWith toHaveResolved toHaveResolvedWith
  toBeInTheDocument toBeVisible toBeDisabled toBeEnabled toBeEmptyDOMElement toBeInvalid toBeRequired toBeValid
  toBeChecked toContainElement toContainHTML toHaveAccessibleDescription toHaveAccessibleName toHaveAttribute
  toHaveClass toHaveFocus toHaveFormValues toHaveStyle toHaveTextContent toHaveValue toHaveDisplayValue toHaveRole
`)
const each = (text, ...ways) => Object.fromEntries([...words(text)].map((name) => [name, ways]))
// How they expect each of their arguments.
const VALUES = {
  ...each('toBe toEqual toStrictEqual toHaveLength toHaveBeenCalledTimes toHaveReturnedTimes', 'exact'),
  ...each('toHaveLastReturnedWith toHaveValue toHaveFormValues', 'exact'),
  ...each('toHaveBeenLastCalledWith toHaveBeenCalledExactlyOnceWith', '...exact'),
  ...each('toHaveBeenNthCalledWith toHaveNthReturnedWith', '-', '...exact'),
  ...each('toMatchObject', 'subset'),
  ...each('toHaveProperty toHaveAttribute', 'within', 'exact'),
  ...each('toContain toContainEqual toMatch toHaveTextContent toHaveAccessibleName', 'within'),
  ...each('toHaveAccessibleDescription toHaveClass toHaveReturnedWith toHaveResolvedWith', 'within'),
  ...each('toHaveBeenCalledWith', '...within'),
  ...each('toThrow toThrowError', 'thrown'),
  ...each('toBeInstanceOf', 'instance'),
  ...each('toBeTypeOf', 'type'),
  ...each('toBeCloseTo', 'near'),
}
const OTHERS = { toBeNull: 'toBeUndefined', toBeUndefined: 'toBeNull' }
const CHAI_WORDS = words('to be been is that which and has have with at of same deep own nested')
const CHAI_NARROWING = words('a an property instanceof instanceOf') // calls after which another may follow
const CHAI_VALUES = {
  ...each('equal equals eq eql lengthOf length members status callCount', 'exact'),
  ...each('property ownProperty haveOwnProperty header', 'within', 'exact'),
  ...each('include includes contain contains string match matches', 'within'),
  ...each('calledWith', '...within'),
  ...each('throw throws Throw', 'thrown', 'within'),
  ...each('instanceof instanceOf', 'instance'),
  ...each('a an', 'type'),
}
const CHAI_OTHERS = { true: 'false', false: 'true', null: 'undefined', undefined: 'null' }
const CHAI_PROPERTIES = words(`
  true false null undefined NaN exist exists empty ok finite extensible sealed frozen called calledOnce calledTwice
  calledThrice notCalled
`)
const CHAI_METHODS = words(`
  equal equals eq eql above gt greaterThan least gte below lt lessThan most lte within closeTo approximately a an
  include includes contain contains members keys key property ownProperty haveOwnProperty lengthOf length match
  matches string throw throws Throw instanceof instanceOf respondTo respondsTo satisfy satisfies oneOf change changes
  increase increases decrease decreases by status header calledWith calledOnceWith callCount
`)
// chai-as-promised, and what vitest makes of a promise or of time.
const CHAI_ASYNC = words('eventually rejected rejectedWith fulfilled become resolves rejects notify')

/**
 * `settled`: the expression's promise is awaited, or returned to who awaits it.
 *
 * Returns undefined where nothing known is expected; else `edits`, `expected` (the nodes of expected
 * values and in which way each is) and `validator` (a function that a passing test has called).
 */
export function expectation(source, names, node, settled) {
  const links = chain(names, node)
  if (links) return expected(source, links, settled)
  return ts.isCallExpression(node) ? assertion(source, names, node, settled) : undefined
}

/** `expect(x).not.toBe(1)` → the root call and its links, each with its call if it is called. */
function chain(names, node) {
  const links = []
  for (;;) {
    const call = ts.isCallExpression(node) ? node : undefined
    const access = call ? call.expression : node
    if (call && expectKind(names, access)) return { root: call, kind: expectKind(names, access), links: links.reverse() }
    if (!ts.isPropertyAccessExpression(access) || access.questionDotToken || call?.questionDotToken) return undefined
    links.push({ name: access.name.text, access, call })
    node = access.expression
  }
}

function expectKind(names, callee) {
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'expect' && ts.isIdentifier(callee.expression)) {
    return names(callee.expression.text)?.kind === 'chai' ? 'chaiExpect' : undefined
  }
  const kind = ts.isIdentifier(callee) ? names(callee.text)?.kind : undefined
  return kind === 'expect' || kind === 'chaiExpect' ? kind : undefined
}

function expected(source, { root, kind, links }, settled) {
  const last = links.at(-1)
  if (kind === 'expect' && last?.call && MATCHERS.has(last.name)) return matcher(source, root, links, settled)
  return chaiChain(source, root, links)
}

function matcher(source, root, links, settled) {
  const before = links.slice(0, -1)
  const { name, call } = links.at(-1)
  const promise = ['resolves', 'rejects'].includes(before[0]?.name) ? before.shift() : undefined
  const not = before[0]?.name === 'not' ? before.shift() : undefined
  if (before.length || promise?.call || not?.call || (promise && !settled)) return undefined
  const expected = not ? [] : expectedValues(VALUES[name], call.arguments)
  const others = not ? [] : renamed(source, links.at(-1).access, OTHERS)
  const negated = notEdits(source, promise?.access ?? root, not)
  return { expected, edits: [...expected.flatMap((one) => valueEdits(source, one)), ...others, ...negated] }
}

function chaiChain(source, root, links) {
  const last = links.at(-1)
  const known = last && (last.call ? CHAI_METHODS : CHAI_PROPERTIES).has(last.name)
  const nots = links.filter(({ name }) => name === 'not')
  if (!known || nots.length > 1 || links.some(({ name }) => CHAI_ASYNC.has(name))) return undefined
  const plain = links.slice(0, -1).every(({ name, call }) => (call ? CHAI_NARROWING : CHAI_WORDS).has(name))
  const expected = plain && last.call ? expectedValues(CHAI_VALUES[last.name], last.call.arguments) : []
  const others = plain && !last.call ? renamed(source, last.access, CHAI_OTHERS) : []
  const negated = notEdits(source, links[0].name === 'to' ? links[0].access : root, nots[0])
  return { expected, edits: [...expected.flatMap((one) => valueEdits(source, one)), ...others, ...negated] }
}

/** Another name for what holds of another value. */
function renamed(source, { name }, others) {
  return Object.hasOwn(others, name.text) ? source.edit('value', name.getStart(), name.end, others[name.text]) : []
}

/** Take `.not` out, or put it in after `node`. */
function notEdits(source, node, not) {
  if (!not) return source.edit('sense', node.end, node.end, '.not')
  const start = not.access.name.getStart() - 1
  return source.text[start] === '.' ? source.edit('sense', start, not.access.end, '') : []
}
