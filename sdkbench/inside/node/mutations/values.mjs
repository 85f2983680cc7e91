// Ways to expect a value, and edits after which another one is expected.
import { classEdits, otherName } from './classes.mjs'
import { containedEdits, literalEdits, nearEdits } from './literals.mjs'
import { ts, bare } from './typescript.mjs'

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
  const found = certain.map((node, at) => ({ node, way: ways?.[at]?.startsWith('...') ? rest : (ways?.[at] ?? rest) }))
  // Later arguments say more: a property's value after its name.
  return found.filter(({ way }) => way && way !== '-').reverse()
}

export function valueEdits(source, { node, way }) {
  return WAYS[way](source, bare(node))
}

function isNewError(node) {
  return ts.isNewExpression(node) && /^(\w+)?Error$/.test(node.expression.getText()) && node.arguments?.length === 1
}
