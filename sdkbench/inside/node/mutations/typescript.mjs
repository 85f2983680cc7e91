// TypeScript's compiler API, from the path that the program was started with.
import { createRequire } from 'node:module'

export const ts = createRequire(import.meta.url)(process.argv[2])

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
