// A test file as TypeScript parses it: its nodes, its names and how they are used, edits of places in it.
import { createRequire } from 'node:module'
import { OtherValues } from './other-values.mjs'

/** TypeScript's compiler API, from the path that the program was started with. */
export const ts = createRequire(import.meta.url)(process.argv[2])

const LINE_BREAK = /[\n\r\u2028\u2029]/
const PLAIN = /^[\w@.:/+ -]{2,40}$/

export class Source {
  /** `text` has no byte order mark. */
  constructor(path, text) {
    this.path = path
    this.text = text
    const kind = /\.([cm]?js|jsx)$/.test(path) ? ts.ScriptKind.JSX : undefined
    this.file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
    this.nodes = [...descendants(this.file)]
    this.bindings = bindingsOf(this.nodes)
    this.strings = this.nodes.filter((node) => isValue(node) && PLAIN.test(node.text))
    this.withSizes = false // whether what may be the size of a list may be another number
    const numbers = this.nodes.filter((node) => ts.isNumericLiteral(node) && /^(0|[1-9]\d*)$/.test(node.text))
    const texts = this.strings.map((node) => node.text)
    this.values = new OtherValues(texts, numbers.map((node) => Number(node.text)))
  }

  get parses() {
    return this.file.parseDiagnostics.length === 0
  }

  segment(node) {
    return this.text.slice(node.getStart(), node.end)
  }

  /** The edit, or nothing if it would move lines. `kind`: 'value' or 'sense'. */
  edit(kind, start, end, replacement) {
    return LINE_BREAK.test(this.text.slice(start, end) + replacement) ? [] : [{ kind, start, end, replacement }]
  }

  /** Whether the file gives none of these names to something of its own. */
  isGlobal(...names) {
    return !names.some((name) => this.bindings.has(name))
  }

  /** As Python counts: a character outside of the basic plane is one. */
  place(offset) {
    return offset - (this.text.slice(0, offset).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
  }

  line(offset) {
    return this.file.getLineAndCharacterOfPosition(offset).line + 1
  }
}

/** Where each name gets its meaning, by name. */
function bindingsOf(nodes) {
  const bindings = new Map()
  for (const node of nodes) {
    const imported = ts.isImportSpecifier(node) || ts.isNamespaceImport(node) || (ts.isImportClause(node) && node.name)
    if (isBinding(node) || imported) bindings.set(node.name.text, [...(bindings.get(node.name.text) ?? []), node])
  }
  return bindings
}

/** A string that stands for a value: no module's name and no title of a test. */
function isValue(node) {
  if (!ts.isStringLiteralLike(node)) return false
  const { parent } = node
  const names = ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)
  const called = ts.isCallExpression(parent) && parent.arguments[0] === node
  return !names && !(called && parent.arguments.slice(1).some(ts.isFunctionLike)) && !(called && isImport(parent))
}

function isImport(call) {
  return call.expression.kind === ts.SyntaxKind.ImportKeyword || call.expression.getText() === 'require'
}

/** The expression itself, without parentheses and what only the type checker reads. */
export function bare(node) {
  while (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  ) {
    node = node.expression
  }
  return node
}

/** An arrow function or function expression whose body runs when it is called. */
export function isPlainFunction(node) {
  return node !== undefined && (ts.isArrowFunction(node) || (ts.isFunctionExpression(node) && !node.asteriskToken))
}

export function isAsync(node) {
  return Boolean(node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword))
}

/** Whether a variable, parameter, function or class gets its name here. */
export function isBinding(node) {
  const binds = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)
  const declares = ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isImportEqualsDeclaration(node)
  return (binds || declares) && node.name !== undefined && ts.isIdentifier(node.name)
}

export function* descendants(node) {
  const children = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) {
    yield child
    yield* descendants(child)
  }
}

/** What a name stands for in the whole file: what it was declared with, if that never changes. */
export function constantNamed(source, name) {
  const [only, ...others] = source.bindings.get(name) ?? []
  const constant = only && ts.isVariableDeclaration(only) && only.parent.flags & ts.NodeFlags.Const
  return constant && !others.length ? only.initializer : undefined
}

/** Names of parameters, at their places, that keep the value they were called with. */
export function constantParameters(helper) {
  const changed = new Set()
  for (const node of descendants(helper.body)) {
    const assigned = ts.isBinaryExpression(node) && ts.isAssignmentOperator(node.operatorToken.kind) && node.left
    const stepped = (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && node.operand
    const target = assigned || stepped
    if (target) for (const one of [target, ...descendants(target)]) changed.add(one.text)
    if (isBinding(node)) changed.add(node.name.text)
  }
  const rest = helper.parameters.findIndex((parameter) => parameter.dotDotDotToken)
  return helper.parameters.map(({ name }, index) => {
    return ts.isIdentifier(name) && index !== rest && !changed.has(name.text) ? name.text : undefined
  })
}

/** How often a part of the file uses a name; properties of that name are something else. */
export function mentions(within, name) {
  const uses = [...descendants(within)].filter((node) => {
    if (!ts.isIdentifier(node) || node.text !== name) return false
    return node.parent.name !== node || ts.isShorthandPropertyAssignment(node.parent)
  })
  return uses.length
}
