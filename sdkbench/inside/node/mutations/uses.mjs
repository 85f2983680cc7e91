// How names of a test file are used.
import { ts, descendants, isBinding } from './typescript.mjs'

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
