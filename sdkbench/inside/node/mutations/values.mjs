// Another value in place of one that a test expects: different for certain, and as plausible.
import { draw } from './other-values.mjs'
import { ts, bare, descendants } from './source.mjs'

const WAYS = {
  /** Equality. */
  exact: (source, node) => literalEdits(source, node, { empty: true, nothing: true }),
  /** Where `null` equals `undefined`. */
  loose: (source, node) => literalEdits(source, node, { empty: true }),
  /** Of all members that are written down; there may be others. */
  subset: (source, node) => literalEdits(source, node, { nothing: true }),
  /** To be somewhere in the value, beside other things. */
  within: (source, node) => containedEdits(source, node),
  thrown: (source, node) => {
    if (isNewError(node)) return literalEdits(source, node.arguments[0])
    const texts = containedEdits(source, node)
    return texts.length ? texts : classEdits(source, node)
  },
  /** As node:assert expects errors: a text would only be the message of the failure. */
  refused: (source, node) => {
    if (ts.isObjectLiteralExpression(node)) return literalEdits(source, node, { patterns: true })
    return ts.isStringLiteralLike(node) ? [] : WAYS.thrown(source, node)
  },
  instance: (source, node) => classEdits(source, node),
  type: (source, node) => {
    const other = ts.isStringLiteral(node) ? otherName(node.text) : undefined
    const quote = source.segment(node)[0]
    return other ? source.edit('value', node.getStart(), node.end, quote + other + quote) : []
  },
  near: (source, node) => nearEdits(source, node),
}

/** `ways` by argument; one that begins with `...` is for all the arguments that follow. */
export function expectedValues(ways, args) {
  const spread = args.findIndex(ts.isSpreadElement)
  const certain = spread < 0 ? [...args] : args.slice(0, spread)
  const rest = ways?.at(-1)?.startsWith('...') ? ways.at(-1).slice(3) : undefined
  const expected = certain.map((node, at) => ({ node, way: ways?.[at]?.startsWith('...') ? rest : (ways?.[at] ?? rest) }))
  // Later arguments say more: a property's value after its name.
  return expected.filter(({ way }) => way && way !== '-').reverse()
}

export function valueEdits(source, { node, way }) {
  return WAYS[way](source, bare(node))
}

function isNewError(node) {
  return ts.isNewExpression(node) && /^(\w+)?Error$/.test(node.expression.getText()) && node.arguments?.length === 1
}

// Another literal in place of one that something is compared with.

const CONTAINING = new Set(['objectContaining', 'arrayContaining', 'stringContaining', 'stringMatching'])

/**
 * Edits of literals in `node`, each of which makes it a value that is equal to nothing it equalled.
 *
 * `empty`: what is empty may get a member. `nothing`: `null` isn't `undefined`. `patterns`: regular
 * expressions stand for the texts that they match.
 */
function literalEdits(source, node, options = {}) {
  return [...literalsOf(node)].flatMap((leaf) => {
    if (ts.isCallExpression(leaf)) return asymmetricEdits(source, leaf, options)
    if (ts.isRegularExpressionLiteral(leaf)) return options.patterns ? patternEdits(source, leaf) : []
    return replaced(source, leaf, otherLiteral(source, leaf, options))
  })
}

/** Edits of texts and patterns in `node`, each of which makes it one that is nowhere where it was. */
function containedEdits(source, node) {
  return [...literalsOf(node)].flatMap((leaf) => {
    if (ts.isCallExpression(leaf)) return asymmetricEdits(source, leaf)
    if (ts.isRegularExpressionLiteral(leaf)) return patternEdits(source, leaf)
    return isVerbatim(source, leaf) ? replaced(source, leaf, quoted(source, leaf, contained(source, leaf.text))) : []
  })
}

/** Edits of a number that something must be near: the next whole one is too far away. */
function nearEdits(source, node) {
  const precision = node.parent.arguments?.[1]
  const coarse = precision && !(ts.isNumericLiteral(precision) && Number(precision.text) >= 1)
  const number = ts.isNumericLiteral(node) && /^(\d{1,9})(\.\d+)?$/.exec(source.segment(node))
  const other = number && source.values.integer(Number(number[1]))
  return number && !coarse ? replaced(source, node, `${other}${number[2] ?? ''}`) : []
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
export function* literalsOf(expression) {
  const node = bare(expression)
  if (ts.isArrayLiteralExpression(node) && node.elements.length) {
    for (const element of node.elements) yield* literalsOf(element)
  } else if (ts.isObjectLiteralExpression(node) && node.properties.length) {
    if (!hasPlainMembers(node)) return
    for (const member of node.properties) yield* literalsOf(member.initializer ?? member.name)
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
  if (ts.isArrayLiteralExpression(node)) return empty ? `[${source.values.anything()}]` : undefined
  if (ts.isObjectLiteralExpression(node)) return empty ? `{ ${draw(['id', 'name', 'kind'])}: ${source.values.anything()} }` : undefined
  if (ts.isNumericLiteral(node)) return otherNumber(source, node)
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

/** None for what may be the size of a list beside it: that would tell that it is another. */
function otherNumber(source, node) {
  const text = source.segment(node)
  if (!source.withSizes && sizesBeside(node).has(Number(text))) return undefined
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return String(source.values.integer(Number(text)))
  const decimal = /^(\d{1,9})\.(\d)(\d*)$/.exec(text)
  if (decimal && Number(decimal[1])) return `${source.values.integer(Number(decimal[1]))}.${decimal[2]}${decimal[3]}`
  if (decimal) return `0.${draw([...'123456789'].filter((one) => one !== decimal[2]))}${decimal[3]}`
  if (!/^[1-9]\d{0,2}(_\d{3})+$/.test(text)) return undefined
  return text.replace(/[1-9]/, (digit) => draw([...'123456789'].filter((one) => one !== digit)))
}

/** How many the lists of plain values have that the same test holds. */
function sizesBeside(node) {
  let test = node
  while (test.parent && !(ts.isFunctionLike(test) && ts.isCallExpression(test.parent))) test = test.parent
  if (!ts.isFunctionLike(test)) return new Set()
  const lists = [...descendants(test)].filter((one) => ts.isArrayLiteralExpression(one) && one.elements.length > 1)
  const plain = lists.filter(({ elements }) => elements.every((one) => ts.isLiteralExpression(one)))
  return new Set(plain.map(({ elements }) => elements.length))
}

/** One of the file's own strings that stands for the same thing, or else one that looks alike. */
function otherString(source, node) {
  if (otherName(node.text)) return otherName(node.text)
  // Seldom has a list one value twice.
  const beside = ts.isArrayLiteralExpression(node.parent) ? node.parent.elements.map(({ text }) => text) : []
  const others = source.strings.filter((other) => differs(other.text, node.text) && !beside.includes(other.text))
  const alike = others.filter((other) => role(other) === role(node)).map(({ text }) => text)
  if (isVerbatim(source, node)) return source.values.text(node.text, alike.length ? alike : undefined)
  return others.length ? draw(others).text : undefined
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

// Another class in place of one: no object is of both.

const ERRORS = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError']
const BASES = new Set(['Object', 'Proxy'])
const PRIMITIVES = ['String', 'Number', 'Boolean', 'BigInt', 'Symbol']
const TYPES = ['string', 'number', 'boolean', 'object', 'function', 'undefined', 'array']

/** Edits of a class that something must be an instance of: one that only this test has. */
function classEdits(source, expression) {
  const node = bare(expression)
  const name = ts.isPropertyAccessExpression(node) ? node.name.text : node.text
  if (!(ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) || !/^[A-Z]\w*[a-z]/.test(name)) return []
  if (BASES.has(name) || !source.isGlobal('Error')) return []
  const other = source.values.className(name)
  return source.edit('value', node.getStart(), node.end, `class ${other} extends Error {}`)
}

/** Edits of `expect.any`'s argument. */
function anyEdits(source, expression) {
  const node = bare(expression)
  if (!ts.isIdentifier(node) || !source.isGlobal(node.text, 'String', 'Number', 'Boolean')) return []
  if (!PRIMITIVES.includes(node.text)) return classEdits(source, node)
  const others = ['String', 'Number', 'Boolean'].filter((one) => one !== node.text)
  return source.edit('value', node.getStart(), node.end, draw(others))
}

/** What stands for another class or type than `text` does, if it stands for one. */
function otherName(text) {
  for (const known of [TYPES, ERRORS]) if (known.includes(text)) return draw(known.filter((one) => one !== text))
  return undefined
}

/** Of the same length, where some characters of `text` are other ones, whatever their case. */
function changedText(source, text) {
  return /[A-Za-z0-9]/.test(text) ? source.values.text(text, []) : undefined
}

/** A text that is in nothing honest that holds `text`; nothing for one that is too short for that. */
function contained(source, text) {
  const other = source.values.part(text)
  return other === undefined || source.text.toLowerCase().includes(other.toLowerCase()) ? undefined : other
}

// Another regular expression in place of one: it matches nothing that the first one matches.

const FLAGS = /^[gimsu]*$/
const OF_MORE_CHARACTERS = /\\[xuckpP0-9]/ // escapes that go on after the letter
const QUANTIFIER = /^[*+?{]/
const SPECIAL = new Set('\\[](){}.*+?^$|')

/** Edits of a regular expression literal. */
function patternEdits(source, node) {
  const [, body, flags] = /^\/([^]*)\/(\w*)$/.exec(source.segment(node))
  if (!FLAGS.test(flags) || OF_MORE_CHARACTERS.test(body)) return []
  const anchored = !flags.includes('m')
  for (const { text, at } of runs(body)) {
    const first = anchored && at === 1 && body.startsWith('^')
    const last = anchored && at + text.length === body.length - 1 && body.endsWith('$')
    // At a fixed distance from an end each character decides; anywhere else only a long text does.
    const other = first || last ? changedText(source, text) : contained(source, text)
    const start = node.getStart() + 1 + at
    if (other !== undefined) return source.edit('value', start, start + text.length, other)
  }
  return []
}

/** Texts that must be in whatever matches, longest first; none where there is a choice. */
function runs(body) {
  const texts = []
  let depth = 0
  let run
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at]
    if (character === '|' && depth === 0) return []
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    const repeated = QUANTIFIER.test(body.slice(at + 1))
    if (SPECIAL.has(character) || depth > 0 || repeated) run = undefined
    else if (run) run.text += character
    else texts.push((run = { text: character, at }))
    at = endOf(body, at)
  }
  return texts.sort((one, other) => other.text.length - one.text.length)
}

/** Where the escape, the set of characters or the count that begins here ends. */
function endOf(body, at) {
  const [whole] = /^(?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{[^}]*\})/.exec(body.slice(at)) ?? ['.']
  return at + whole.length - 1
}
