// Another class in place of one: no object is of both.
import { ts, bare } from './typescript.mjs'

const ERRORS = ['TypeError', 'RangeError', 'SyntaxError']
const RARE_ERRORS = ['ReferenceError', 'URIError', 'EvalError'] // no library's own errors extend these
const BUILT_IN = ['Date', 'Map', 'Set', 'RegExp']
const RARE = ['RegExp', 'WeakMap'] // hardly anyone's own class extends these
const BASES = new Set(['Object', 'Proxy'])
const PRIMITIVES = { String: 'Number', Number: 'String', Boolean: 'String', BigInt: 'Number', Symbol: 'String' }
const TYPES = {
  string: 'number',
  number: 'string',
  boolean: 'string',
  object: 'function',
  function: 'object',
  undefined: 'object',
  array: 'object',
}

/** Edits of a class that something must be an instance of; a thrown one can only be an error. */
export function classEdits(source, expression, isThrown = false) {
  const node = bare(expression)
  const name = ts.isPropertyAccessExpression(node) ? node.name.text : node.text
  if (!(ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) || !/^[A-Z]\w*[a-z]/.test(name)) return []
  if (BASES.has(name) || (isThrown && name === 'Error')) return []
  if (!source.isGlobal(...ERRORS, ...RARE_ERRORS, ...BUILT_IN, ...RARE)) return []
  const others = candidates(name, isThrown, ts.isIdentifier(node) && source.isGlobal(name))
  const other = others[node.pos % others.length]
  return source.edit('value', node.getStart(), node.end, other)
}

function candidates(name, isThrown, isBuiltIn) {
  const isError = isThrown || /.(Error|Exception)$/.test(name)
  const own = isError ? RARE_ERRORS : RARE
  const known = isError ? ERRORS : BUILT_IN
  return (isBuiltIn ? known : own).filter((one) => one !== name)
}

/** Edits of `expect.any`'s argument. */
export function anyEdits(source, expression) {
  const node = bare(expression)
  if (!ts.isIdentifier(node) || !source.isGlobal(node.text, 'String', 'Number')) return []
  if (!Object.hasOwn(PRIMITIVES, node.text)) return classEdits(source, node)
  return source.edit('value', node.getStart(), node.end, PRIMITIVES[node.text])
}

/** What stands for another class or type than `text` does, if it stands for one. */
export function otherName(text) {
  if (Object.hasOwn(TYPES, text)) return TYPES[text]
  return ERRORS.includes(text) ? ERRORS[(ERRORS.indexOf(text) + 1) % ERRORS.length] : undefined
}
