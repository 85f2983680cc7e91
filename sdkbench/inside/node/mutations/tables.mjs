// Rows of values that tests or loops run over, where they are written down, and what names stand for in them.
import { ts, bare, constantNamed, isPlainFunction, mentions } from './source.mjs'

const REPEATS = new Set(['forEach', 'map'])

/**
 * @typedef {object} Table
 * @property {(ts.Node | Map<string, ts.Node>)[]} rows
 * @property {Map<string, (row: ts.Node) => ts.Node | undefined>} names what each name stands for in a row
 * @property {ts.Node} body where the names have this meaning
 */

/** Of `for (const [n, wanted] of rows) …` and `rows.forEach(([n, wanted]) => …)`: a Table, or nothing. */
export function loopTable(source, node) {
  if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer)) {
    const [declared] = node.initializer.declarations
    return table(rowsOf(source, node.expression), [declared.name], node.statement)
  }
  const callback = ts.isCallExpression(node) ? node.arguments[0] : undefined
  if (!isPlainFunction(callback) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  if (!REPEATS.has(node.expression.name.text) || callback.parameters.length > 1) return undefined
  const names = callback.parameters.map(({ name }) => name)
  return table(rowsOf(source, node.expression.expression), names, callback.body)
}

/** Of `test.each(rows)(title, callback)`, and of `test.for`, which hands over each row as it is. */
export function eachTable(source, callee, callback, isFor) {
  if (ts.isTaggedTemplateExpression(callee)) return templateTable(callee.template, callback)
  const rows = callee.arguments.length === 1 ? rowsOf(source, callee.arguments[0]) : undefined
  const names = callback.parameters.map(({ name }) => name)
  if (isFor) return table(rows, names.slice(0, 1), callback.body)
  const spread = rows?.every((row) => ts.isArrayLiteralExpression(bare(row)))
  if (!spread) return rows?.some((row) => ts.isArrayLiteralExpression(bare(row))) ? undefined : table(rows, names.slice(0, 1), callback.body)
  const whole = { rows, names: new Map(), body: callback.body }
  names.forEach((name, at) => void bind(whole.names, name, (row) => bare(row).elements[at]))
  return whole
}

/** `a | b` in the first line, and a line of `${1} | ${2}` for each row: rows are Maps from names to nodes. */
function templateTable(template, callback) {
  const header = ts.isTemplateExpression(template) ? template.head.text.trim().split('\n')[0] : ''
  const columns = header.split('|').map((name) => name.trim())
  const cells = ts.isTemplateExpression(template) ? template.templateSpans.map(({ expression }) => expression) : []
  if (!header || cells.length % columns.length) return undefined
  const rows = cells.flatMap((_, at) => (at % columns.length ? [] : [new Map(columns.map((name, i) => [name, cells[at + i]]))]))
  return table(rows, callback.parameters.slice(0, 1).map(({ name }) => name), callback.body)
}

function table(rows, [name], body) {
  if (!rows?.length || name === undefined) return undefined
  const names = new Map()
  bind(names, name, (row) => (row instanceof Map ? row : bare(row)))
  return { rows, names, body }
}

/** The names of a pattern, and how each one is taken out of what `pick` gives. */
function bind(names, pattern, pick) {
  if (ts.isIdentifier(pattern)) names.set(pattern.text, pick)
  else if (ts.isArrayBindingPattern(pattern)) {
    pattern.elements.forEach((element, at) => {
      if (ts.isBindingElement(element)) bind(names, element.name, (row) => elementOf(pick(row), at))
    })
  } else {
    for (const { name, propertyName } of pattern.elements) {
      const key = (propertyName ?? name).text
      bind(names, name, (row) => memberOf(pick(row), key))
    }
  }
}

function elementOf(row, at) {
  const list = row && bare(row)
  return list && ts.isArrayLiteralExpression(list) && !list.elements.some(ts.isSpreadElement) ? list.elements[at] : undefined
}

function memberOf(row, key) {
  if (row instanceof Map) return row.get(key)
  const object = row && bare(row)
  if (!object || !ts.isObjectLiteralExpression(object)) return undefined
  const members = object.properties.filter((one) => one.name?.text === key)
  return members.length === 1 && ts.isPropertyAssignment(members[0]) ? members[0].initializer : undefined
}

/** Of an array that is written there, or has a name that nothing else uses. */
function rowsOf(source, expression) {
  const node = bare(expression)
  if (ts.isIdentifier(node)) {
    const constant = mentions(source.file, node.text) === 1 ? constantNamed(source, node.text) : undefined
    return constant && rowsOf(source, constant)
  }
  if (!ts.isArrayLiteralExpression(node) || node.elements.some(ts.isSpreadElement)) return undefined
  return [...node.elements]
}

/** What a title shows of a value; `others` has what is shown of some instead. */
function shown(node, others) {
  if (node === undefined || node instanceof Map) return undefined
  if (others.has(node)) return others.get(node)
  const value = bare(node)
  if (others.has(value)) return others.get(value)
  if (ts.isStringLiteralLike(value)) return value.text
  if (ts.isNumericLiteral(value)) return String(Number(value.text))
  const minus = ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.MinusToken
  if (minus && ts.isNumericLiteral(value.operand)) return others.has(value.operand) ? `-${others.get(value.operand)}` : `-${Number(value.operand.text)}`
  return { [ts.SyntaxKind.TrueKeyword]: 'true', [ts.SyntaxKind.FalseKeyword]: 'false', [ts.SyntaxKind.NullKeyword]: 'null' }[value.kind]
}

/** `'%i twice is %i'` for one row; undefined where it shows what only the framework can tell. */
export function eachTitle(text, row, at, others) {
  const node = row instanceof Map ? row : bare(row)
  const isObject = node instanceof Map || ts.isObjectLiteralExpression(node)
  const given = !isObject && ts.isArrayLiteralExpression(node) ? [...node.elements] : [node]
  let known = true
  const show = (value) => {
    const text = shown(value, others)
    known &&= text !== undefined
    return text ?? ''
  }
  const title = text.replace(/%([a-zA-Z#$%])|\$([\w.$#]+)/g, (found, letter, name) => {
    if (letter === '%') return '%'
    if (letter === '#' || name === '#') return String(at)
    if (letter !== undefined) {
      known &&= 'sdif'.includes(letter) && given.length > 0
      return known ? show(given.shift()) : ''
    }
    if (!isObject) return found
    const value = memberOf(node, name)
    // How a text is quoted there is each framework's own.
    known &&= value !== undefined && !ts.isStringLiteralLike(bare(value))
    return known ? show(value) : ''
  })
  return known ? title : undefined
}

/** A title that is put together in a loop, for one row. */
export function loopTitle(node, { names }, row, others) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return shown(names.get(node.text)?.(row), others)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return joined([loopTitle(node.left, { names }, row, others), loopTitle(node.right, { names }, row, others)])
  }
  if (!ts.isTemplateExpression(node)) return undefined
  const spans = node.templateSpans.flatMap(({ expression, literal }) => [loopTitle(expression, { names }, row, others), literal.text])
  return joined([node.head.text, ...spans])
}

function joined(parts) {
  return parts.includes(undefined) ? undefined : parts.join('')
}
