// Another literal in place of one that something is compared with.
import { anyEdits, otherName } from './classes.mjs'
import { patternEdits } from './patterns.mjs'
import { altered, contained } from './texts.mjs'
import { ts, bare } from './typescript.mjs'

const MAX_LITERALS = 2 // of one expected value
const CONTAINING = new Set(['objectContaining', 'arrayContaining', 'stringContaining', 'stringMatching'])

/**
 * Edits of literals in `node`, each of which makes it a value that is equal to nothing it equalled.
 *
 * `empty`: what is empty may get a member. `nothing`: `null` isn't `undefined`. `patterns`: regular
 * expressions stand for the texts that they match.
 */
export function literalEdits(source, node, options = {}) {
  const edits = [...leaves(node)].flatMap((leaf) => {
    if (ts.isCallExpression(leaf)) return asymmetricEdits(source, leaf, options)
    if (ts.isRegularExpressionLiteral(leaf)) return options.patterns ? patternEdits(source, leaf) : []
    return replaced(source, leaf, otherLiteral(source, leaf, options))
  })
  return edits.slice(0, MAX_LITERALS)
}

/** Edits of texts and patterns in `node`, each of which makes it one that is nowhere where it was. */
export function containedEdits(source, node) {
  const edits = [...leaves(node)].flatMap((leaf) => {
    if (ts.isCallExpression(leaf)) return asymmetricEdits(source, leaf)
    if (ts.isRegularExpressionLiteral(leaf)) return patternEdits(source, leaf)
    return isVerbatim(source, leaf) ? replaced(source, leaf, quoted(source, leaf, contained(source, leaf.text))) : []
  })
  return edits.slice(0, MAX_LITERALS)
}

/** Edits of a number that something must be near: the next whole one is too far away. */
export function nearEdits(source, node) {
  const precision = node.parent.arguments?.[1]
  const coarse = precision && !(ts.isNumericLiteral(precision) && Number(precision.text) >= 1)
  const number = ts.isNumericLiteral(node) && /^(\d{1,9})(\.\d+)?$/.exec(source.segment(node))
  return number && !coarse ? replaced(source, node, `${Number(number[1]) + 1}${number[2] ?? ''}`) : []
}

/** `expect.objectContaining({ … })` and its like; without `options` in what others may stand beside. */
function asymmetricEdits(source, call, options) {
  const [name, given] = [/^expect\.(\w+)$/.exec(call.expression.getText())?.[1], call.arguments[0]]
  if (call.arguments.length !== 1) return []
  if (name === 'any') return options ? anyEdits(source, given) : []
  if (name === 'objectContaining' && options) return literalEdits(source, given, { ...options, empty: false })
  return CONTAINING.has(name) ? containedEdits(source, given) : []
}

function replaced(source, node, other) {
  return other === undefined ? [] : source.edit('value', node.getStart(), node.end, other)
}

/** Literals, names and calls that count: not where a later member may take their place. */
export function* leaves(expression) {
  const node = bare(expression)
  if (ts.isArrayLiteralExpression(node) && node.elements.length) {
    for (const element of node.elements) yield* leaves(element)
  } else if (ts.isObjectLiteralExpression(node) && node.properties.length) {
    if (!hasPlainMembers(node)) return
    for (const member of node.properties) yield* leaves(member.initializer ?? member.name)
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    if (ts.isNumericLiteral(node.operand)) yield node.operand
  } else {
    yield node
  }
}

function hasPlainMembers(object) {
  const names = object.properties.map((member) => {
    if (!ts.isPropertyAssignment(member) && !ts.isShorthandPropertyAssignment(member)) return undefined
    return ts.isComputedPropertyName(member.name) ? undefined : member.name.text
  })
  return !names.includes(undefined) && !names.includes('__proto__') && new Set(names).size === names.length
}

function otherLiteral(source, node, { empty, nothing }) {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false'
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true'
  if (node.kind === ts.SyntaxKind.NullKeyword) return nothing ? 'undefined' : undefined
  if (ts.isIdentifier(node)) return nothing && node.text === 'undefined' ? 'null' : undefined
  if (ts.isArrayLiteralExpression(node)) return empty ? '[0]' : undefined
  if (ts.isObjectLiteralExpression(node)) return empty ? '{ id: 1 }' : undefined
  if (ts.isNumericLiteral(node)) return otherNumber(source.segment(node))
  return ts.isStringLiteralLike(node) ? quoted(source, node, otherString(source, node)) : undefined
}

function quoted(source, node, text) {
  const quote = source.segment(node)[0]
  return text === undefined ? undefined : quote + text + quote
}

/** Whether it is a string that is written as it is. */
function isVerbatim(source, node) {
  return ts.isStringLiteralLike(node) && source.segment(node).slice(1, -1) === node.text
}

function otherNumber(text) {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return String(Number(text) + 1)
  if (!/^[1-9]\d{0,2}(_\d{3})+$|^\d+\.\d+$|^[1-9]\d*$/.test(text)) return undefined
  return text.replace(/[1-9]/, (digit) => (digit === '9' ? '8' : String(Number(digit) + 1)))
}

/** One of the file's own strings that looks alike, or else a word that looks like this one. */
function otherString(source, node) {
  if (otherName(node.text)) return otherName(node.text)
  const others = source.strings.filter((other) => differs(other.text, node.text))
  const pick = (list) => list[node.pos % list.length]?.text
  for (const like of [role, shape, look]) {
    const alike = others.filter((other) => like(other) === like(node))
    if (alike.length) return pick(alike)
  }
  return (isVerbatim(source, node) ? altered(node.text) : undefined) ?? pick(others)
}

/** By more than case, blanks or the way to write a number. */
function differs(one, other) {
  const plain = (text) => text.toLowerCase().replace(/\s+/g, '')
  return plain(one) !== plain(other) && Number(one) !== Number(other)
}

/** Values of one property, or arguments, that are written alike. */
function role(node) {
  const { parent } = node
  const name = ts.isPropertyAssignment(parent) ? parent.name.getText() : ''
  return `${name} ${parent.kind} ${shape(node)}`
}

function shape({ text }) {
  return text.replace(/[a-z]+/gi, 'a').replace(/\d+/g, '0')
}

/** What meets the eye: how it begins, and whether it is more than one word. */
function look({ text }) {
  return `${/^\W/.exec(text)?.[0] ?? ''}${/\s/.test(text)} ${/[@:/]/.exec(text)?.[0] ?? ''}`
}
