// What a passing test has certainly run: expectations, and calls of the file's own functions.
import { expectation } from './expectations.mjs'
import { literalEdits } from './literals.mjs'
import { ts, bare, descendants, isAsync, isBinding, isPlainFunction } from './typescript.mjs'

const SKIPS = new Set(['skip', 'todo', 'skipIf', 'runIf'])

export class Paths {
  #analyses = new Map()

  constructor(source, names) {
    this.source = source
    this.names = names
    this.helpers = helpersOf(source, names)
    this.certain = new Set() // identifiers that name a helper where it is certainly called
    this.skipping = new Set(SKIPS) // names of calls that may end a test
    for (const [name, helper] of this.helpers) if (calls(helper, SKIPS)) this.skipping.add(name)
  }

  /** Of a test: `expectations` (lists of edits) and `helpers` (names that it calls). */
  ofTest({ callback, done }) {
    return this.#walk(callback, { settled: true, params: [], done })
  }

  /** The same of one of the file's functions, and which parameters do nothing but be compared. */
  ofHelper(name, settled) {
    const key = `${name} ${settled}`
    if (!this.#analyses.has(key)) {
      this.#analyses.set(key, { expectations: [], helpers: new Set(), compared: new Map() }) // for recursion
      const helper = this.helpers.get(name)
      const found = this.#walk(helper, { settled, params: constantParameters(helper) })
      for (const [index, places] of found.compared) {
        if (mentions(helper, helper.parameters[index].name.text) > places.size) found.compared.delete(index)
      }
      this.#analyses.set(key, found)
    }
    return this.#analyses.get(key)
  }

  #walk(callable, scope) {
    const found = { expectations: [], helpers: new Set(), compared: new Map() }
    this.#body(callable, { ...scope, found })
    return found
  }

  #body({ body }, scope) {
    if (ts.isBlock(body)) this.#statements(body.statements, scope)
    else if (!isMentioned(body, scope.done)) this.#expression(body, scope.settled, scope)
  }

  /** Up to the first statement by which the function may be left without failing. */
  #statements(statements, scope) {
    for (const statement of statements) {
      if (isMentioned(statement, scope.done) || calls(statement, this.skipping)) return
      this.#statement(statement, scope)
      if (leaves(statement)) return
    }
  }

  #statement(node, scope) {
    if (ts.isExpressionStatement(node)) this.#expression(node.expression, false, scope)
    else if (ts.isReturnStatement(node) && node.expression) this.#expression(node.expression, scope.settled, scope)
    else if (ts.isVariableStatement(node)) {
      const given = node.declarationList.declarations.flatMap(({ initializer }) => initializer ?? [])
      for (const initializer of given) this.#expression(initializer, false, scope)
    } else if (ts.isBlock(node)) this.#statements(node.statements, scope)
    else if (ts.isTryStatement(node) && !node.catchClause && !leaves(node.finallyBlock)) {
      this.#statements(node.tryBlock.statements, scope)
      if (!leaves(node.tryBlock)) this.#statements(node.finallyBlock.statements, scope)
    } else if (ts.isForOfStatement(node) && isFilled(node.expression)) {
      this.#statements(ts.isBlock(node.statement) ? node.statement.statements : [node.statement], scope)
    }
  }

  #expression(expression, settled, scope) {
    const node = bare(expression)
    if (ts.isAwaitExpression(node)) return this.#expression(node.expression, true, scope)
    const found = expectation(this.source, this.names, node, settled)
    if (found) {
      if (found.edits.length) scope.found.expectations.push(found.edits)
      this.#compare(found.exact, scope)
      if (found.validator) this.#body(found.validator, { ...scope, settled: false })
    } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) this.#call(node, settled, scope)
    return undefined
  }

  /** A call of one of the file's own functions: what it compares may be written down here. */
  #call(call, settled, scope) {
    const name = call.expression.text
    const helper = this.helpers.get(name)
    if (!helper || (isAsync(helper) && !settled)) return
    this.certain.add(call.expression)
    scope.found.helpers.add(name)
    const { compared, helpers } = this.ofHelper(name, settled)
    for (const inner of helpers) scope.found.helpers.add(inner)
    const literalUpTo = call.arguments.findIndex(ts.isSpreadElement)
    for (const index of compared.keys()) {
      const given = call.arguments[index]
      if (!given || (literalUpTo >= 0 && index >= literalUpTo)) continue
      const edits = literalEdits(this.source, given)
      if (edits.length) scope.found.expectations.push(edits)
      this.#compare(given, scope)
    }
  }

  #compare(exact, scope) {
    const index = exact && ts.isIdentifier(bare(exact)) ? scope.params.indexOf(bare(exact).text) : -1
    if (index < 0) return
    const { compared } = scope.found
    compared.set(index, (compared.get(index) ?? new Set()).add(bare(exact)))
  }
}

/** The functions that the file declares, each under a name that nothing else in it has. */
function helpersOf(source, names) {
  const found = new Map()
  const bound = new Map()
  for (const node of source.nodes) {
    if (!isBinding(node) && !ts.isImportSpecifier(node) && !(ts.isImportClause(node) && node.name)) continue
    const name = node.name.text
    bound.set(name, (bound.get(name) ?? 0) + 1)
    const constant = ts.isVariableDeclaration(node) && node.parent.flags & ts.NodeFlags.Const
    const callable = constant ? node.initializer : node
    const declared = ts.isFunctionDeclaration(callable ?? node) && !callable.asteriskToken && callable.body
    if ((declared || (constant && isPlainFunction(callable))) && !names(name)) found.set(name, callable)
  }
  for (const [name, count] of bound) if (count > 1) found.delete(name)
  return found
}

/** Names of parameters, at their places, that keep the value they were called with. */
function constantParameters(helper) {
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

/** How often a function uses a name; properties of that name are something else. */
function mentions(helper, name) {
  const uses = [...descendants(helper)].filter((node) => {
    if (!ts.isIdentifier(node) || node.text !== name) return false
    return node.parent.name !== node || ts.isShorthandPropertyAssignment(node.parent)
  })
  return uses.length
}

/** Whether `done` is: the test may end when that is called. */
function isMentioned(node, done) {
  return done !== undefined && [node, ...descendants(node)].some((one) => ts.isIdentifier(one) && one.text === done)
}

function calls(statement, wanted) {
  return [...descendants(statement)].some((node) => {
    if (!ts.isCallExpression(node)) return false
    const { expression } = node
    return wanted.has(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.text)
  })
}

/** Whether what follows `node` may be passed over: by return, or by a jump out of it. */
function leaves(node, inLoop = false, inSwitch = false) {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false
  if (ts.isReturnStatement(node)) return true
  if (ts.isContinueStatement(node)) return !inLoop || Boolean(node.label)
  if (ts.isBreakStatement(node)) return !(inLoop || inSwitch) || Boolean(node.label)
  const loop = inLoop || ts.isIterationStatement(node, false)
  const choice = inSwitch || ts.isSwitchStatement(node)
  return Boolean(ts.forEachChild(node, (child) => leaves(child, loop, choice) || undefined))
}

function isFilled(expression) {
  const list = bare(expression)
  return ts.isArrayLiteralExpression(list) && list.elements.some((one) => !ts.isSpreadElement(one))
}
