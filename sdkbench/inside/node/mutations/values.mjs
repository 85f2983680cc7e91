// Another value in place of one that a test expects: different for certain, and as plausible.
import { ts, bare } from './source.mjs'

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
    return texts.length ? texts : classEdits(source, node, true)
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

const MAX_LITERALS = 2 // of one expected value
const CONTAINING = new Set(['objectContaining', 'arrayContaining', 'stringContaining', 'stringMatching'])

/**
 * Edits of literals in `node`, each of which makes it a value that is equal to nothing it equalled.
 *
 * `empty`: what is empty may get a member. `nothing`: `null` isn't `undefined`. `patterns`: regular
 * expressions stand for the texts that they match.
 */
function literalEdits(source, node, options = {}) {
  const edits = [...literalsOf(node)].flatMap((leaf) => {
    if (ts.isCallExpression(leaf)) return asymmetricEdits(source, leaf, options)
    if (ts.isRegularExpressionLiteral(leaf)) return options.patterns ? patternEdits(source, leaf) : []
    return replaced(source, leaf, otherLiteral(source, leaf, options))
  })
  return edits.slice(0, MAX_LITERALS)
}

/** Edits of texts and patterns in `node`, each of which makes it one that is nowhere where it was. */
function containedEdits(source, node) {
  const edits = [...literalsOf(node)].flatMap((leaf) => {
    if (ts.isCallExpression(leaf)) return asymmetricEdits(source, leaf)
    if (ts.isRegularExpressionLiteral(leaf)) return patternEdits(source, leaf)
    return isVerbatim(source, leaf) ? replaced(source, leaf, quoted(source, leaf, contained(source, leaf.text))) : []
  })
  return edits.slice(0, MAX_LITERALS)
}

/** Edits of a number that something must be near: the next whole one is too far away. */
function nearEdits(source, node) {
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
  return (isVerbatim(source, node) ? changedText(node.text) : undefined) ?? pick(others)
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

// Another class in place of one: no object is of both.

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
function classEdits(source, expression, isThrown = false) {
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
function anyEdits(source, expression) {
  const node = bare(expression)
  if (!ts.isIdentifier(node) || !source.isGlobal(node.text, 'String', 'Number')) return []
  if (!Object.hasOwn(PRIMITIVES, node.text)) return classEdits(source, node)
  return source.edit('value', node.getStart(), node.end, PRIMITIVES[node.text])
}

/** What stands for another class or type than `text` does, if it stands for one. */
function otherName(text) {
  if (Object.hasOwn(TYPES, text)) return TYPES[text]
  return ERRORS.includes(text) ? ERRORS[(ERRORS.indexOf(text) + 1) % ERRORS.length] : undefined
}

// Another text in place of one: a slip of the pen that reads much alike.

const VOWELS = { a: 'o', e: 'a', i: 'e', o: 'a', u: 'o', A: 'O', E: 'A', I: 'E', O: 'A', U: 'O' }
const ENOUGH_LETTERS = 5 // that nothing honest holds a text and its misspelling

/** With one vowel of its longest word changed; nothing where that has none. */
function misspelt(text) {
  const words = text.match(/[A-Za-z]+/g) ?? []
  const word = words.reduce((long, one) => (one.length > long.length ? one : long), '')
  const letters = [...word]
  // The last vowel inside the word: a change of the first one more often makes another word.
  const inside = letters.findLastIndex((letter, at) => at > 0 && at < word.length - 1 && letter in VOWELS)
  const at = inside < 0 ? letters.findLastIndex((letter) => letter in VOWELS) : inside
  if (at < 0) return undefined
  const changed = word.slice(0, at) + VOWELS[word[at]] + word.slice(at + 1)
  return text.replace(word, () => changed)
}

/** Of the same length, where one character of `text` is another one, whatever its case. */
function changedText(text) {
  const digit = /^(.*)(\d)(\D*)$/.exec(text)
  if (digit) return `${digit[1]}${(Number(digit[2]) + 1) % 10}${digit[3]}`
  const letter = /^(.*)([A-Za-z])([^A-Za-z]*)$/.exec(text)
  return misspelt(text) ?? (letter ? `${letter[1]}${neighbour(letter[2])}${letter[3]}` : undefined)
}

function neighbour(letter) {
  return String.fromCharCode(letter.charCodeAt(0) + (/z/i.test(letter) ? -1 : 1))
}

/** A text that is in nothing honest that holds `text`; nothing for one that is too short for that. */
function contained(source, text) {
  if ((text.match(/[A-Za-z]/g) ?? []).length < ENOUGH_LETTERS) return undefined
  const other = misspelt(text)
  // A misspelling that the file has words for is no misspelling.
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
    const other = first || last ? changedText(text) : contained(source, text)
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
