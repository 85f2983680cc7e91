// What the names in a test file mean: those of its framework and of assertion libraries.
import { ts, isBinding } from './source.mjs'

const of = (kind, ...names) => Object.fromEntries(names.map((name) => [name, { kind }]))
const VITEST = {
  ...of('test', 'test', 'it'),
  ...of('suite', 'describe', 'suite'),
  ...of('expect', 'expect'),
  ...of('chaiAssert', 'assert'),
}
const JEST = { ...of('test', 'test', 'it'), ...of('suite', 'describe'), ...of('expect', 'expect') }
const MOCHA = { ...of('test', 'it', 'specify', 'test'), ...of('suite', 'describe', 'context', 'suite') }
const ASSERT_MODULE = /^(node:)?assert(\/strict)?$/
const MODULES = {
  vitest: VITEST,
  '@jest/globals': JEST,
  expect: of('expect', 'expect', 'default'),
  mocha: MOCHA,
  'node:test': { ...of('test', 'test', 'it', 'default'), ...of('suite', 'describe', 'suite') },
  chai: { ...of('chaiExpect', 'expect'), ...of('chaiAssert', 'assert'), ...of('chai', 'default', '*') },
}
const GLOBALS = { jest: JEST, vitest: VITEST, mocha: MOCHA, node_test: {} }

/** `exported` of `module`: its kind, and its own name where a function is imported by itself. */
function meaning(module, exported) {
  if (ASSERT_MODULE.test(module)) {
    const whole = ['default', '*', 'strict'].includes(exported)
    return whole ? { kind: 'assert' } : { kind: 'assertFunction', name: exported }
  }
  return Object.hasOwn(MODULES, module) ? MODULES[module][exported] : undefined
}

/** A function from names to meanings; a name that is bound twice, or by something else, has none. */
export function namesOf(source, framework) {
  const bound = new Map()
  const bind = (name, meant) => bound.set(name, bound.has(name) ? undefined : meant)
  for (const node of source.nodes) {
    if (ts.isImportDeclaration(node)) bindImports(node, bind)
    if (!isBinding(node) || isOfContext(node, framework)) continue
    const assigned = ts.isVariableDeclaration(node) || ts.isBindingElement(node)
    bind(node.name.text, assigned ? required(node, bound) : undefined)
  }
  return (name) => (bound.has(name) ? bound.get(name) : GLOBALS[framework]?.[name])
}

function bindImports({ importClause, moduleSpecifier }, bind) {
  const module = moduleSpecifier.text
  if (!importClause) return
  if (importClause.name) bind(importClause.name.text, meaning(module, 'default'))
  const bindings = importClause.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) bind(bindings.name.text, meaning(module, '*'))
  else {
    for (const { name, propertyName } of bindings?.elements ?? []) {
      bind(name.text, meaning(module, (propertyName ?? name).text))
    }
  }
}

/** `const assert = require('assert').strict`, `const { expect } = require('chai')`, `… = chai`. */
function required(node, bound) {
  const whole = ts.isVariableDeclaration(node)
  const declaration = whole ? node : node.parent.parent
  if (!ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined
  if (!whole && !ts.isObjectBindingPattern(node.parent)) return undefined
  let from = declaration.initializer
  let exported = whole ? 'default' : (node.propertyName ?? node.name).text
  if (whole && ts.isPropertyAccessExpression(from)) {
    exported = from.name.text
    from = from.expression
  }
  if (ts.isIdentifier(from) && bound.get(from.text)?.kind === 'chai') return meaning('chai', exported)
  const call = ts.isCallExpression(from) && from.expression.getText() === 'require' && from.arguments[0]
  return call && ts.isStringLiteral(call) ? meaning(call.text, exported) : undefined
}

/** `({ expect }) => …`: vitest hands a test the same function. */
function isOfContext(node, framework) {
  const given = ts.isBindingElement(node) && ts.isParameter(node.parent.parent)
  return framework === 'vitest' && given && node.name.text === 'expect'
}
