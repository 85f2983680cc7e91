// Source: a parsed file, and edits of places in it.
import { ts, descendants, isBinding } from './typescript.mjs'

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
  const found = new Map()
  for (const node of nodes) {
    const imported = ts.isImportSpecifier(node) || ts.isNamespaceImport(node) || (ts.isImportClause(node) && node.name)
    if (isBinding(node) || imported) found.set(node.name.text, [...(found.get(node.name.text) ?? []), node])
  }
  return found
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
