// Another literal in place of one that something is compared with.
import { ts, bare } from './typescript.mjs'

const MAX_LITERALS = 2 // of one expected value
const VOWELS = { a: 'o', e: 'a', i: 'e', o: 'a', u: 'o' }

/** Edits of literals in `node`, each of which makes it a value that is equal to nothing it equalled. */
export function literalEdits(source, node) {
  const edits = [...literals(node)].flatMap((literal) => {
    const other = otherLiteral(source, literal)
    return other === undefined ? [] : source.edit(literal.getStart(), literal.end, other)
  })
  return edits.slice(0, MAX_LITERALS)
}

/** Those that count: not in calls, nor where a later member may take their place. */
function* literals(expression) {
  const node = bare(expression)
  if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) yield* literals(element)
  } else if (ts.isObjectLiteralExpression(node)) {
    if (!hasPlainMembers(node)) return
    for (const member of node.properties) if (ts.isPropertyAssignment(member)) yield* literals(member.initializer)
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

function otherLiteral(source, node) {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false'
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true'
  if (ts.isNumericLiteral(node)) return otherNumber(source.segment(node))
  if (!ts.isStringLiteralLike(node)) return undefined
  const quote = source.segment(node)[0]
  const other = otherString(source, node)
  return other === undefined ? undefined : quote + other + quote
}

function otherNumber(text) {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return String(Number(text) + 1)
  if (!/^[1-9]\d{0,2}(_\d{3})+$|^\d+\.\d+$|^[1-9]\d*$/.test(text)) return undefined
  return text.replace(/[1-9]/, (digit) => (digit === '9' ? '8' : String(Number(digit) + 1)))
}

/** One of the file's own strings that looks alike, or else a word that looks like this one. */
function otherString(source, node) {
  const others = source.strings.filter((other) => differs(other.text, node.text))
  const pick = (list) => list[node.pos % list.length]?.text
  for (const like of [role, shape, look]) {
    const alike = others.filter((other) => like(other) === like(node))
    if (alike.length) return pick(alike)
  }
  return /^[^\\'"`$\n\r\u2028\u2029]+$/.test(node.text) ? (misspelt(node.text) ?? pick(others)) : pick(others)
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

function misspelt(text) {
  const digit = /^(.*)(\d)(\D*)$/.exec(text)
  if (digit) return `${digit[1]}${(Number(digit[2]) + 1) % 10}${digit[3]}`
  const word = (text.match(/[A-Za-z]+/g) ?? []).reduce((long, one) => (one.length > long.length ? one : long), '')
  const at = word.search(/(?<=.)[aeiou]/)
  if (at < 0) return undefined
  const changed = word.slice(0, at) + VOWELS[word[at]] + word.slice(at + 1)
  return text.replace(word, () => changed)
}
