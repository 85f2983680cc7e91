// What a passing test has certainly run: expectations, and calls of the file's own functions.
import { expectation } from './expectations.mjs'
import { truthEdits } from './assertions.mjs'
import { ts, bare, constantNamed, constantParameters, descendants, isAsync, isPlainFunction, mentions } from './source.mjs'
import { loopTable } from './tables.mjs'
import { literalsOf, valueEdits } from './values.mjs'

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

  /** Of a test: `expectations` (lists of edits), `rows` (of its table) and `helpers` (names that it calls). */
  ofTest({ callback, done, table, titleOf, patternOf, shownIn }) {
    const params = table ? [...table.names.keys()] : []
    const analysis = this.#walk(callback, { settled: true, params, done, loops: [] })
    for (const [name, places] of analysis.constants) {
      const edits = this.#constantEdits(name, places)
      if (edits.length) analysis.expectations.push(edits)
    }
    for (const { name, places, pick, table: inner } of analysis.looped.values()) {
      const way = onlyWay(places)
      if (!way || mentions(inner.body, name) > places.size) continue
      const cells = inner.rows.map(pick).filter(Boolean)
      for (const node of cells) analysis.expectations.push(valueEdits(this.source, { node, way }))
    }
    const rows = table ? this.#rows(analysis, params, { table, titleOf, patternOf, shownIn }) : []
    return { ...analysis, rows }
  }

  /** Of a constant that does nothing but be expected; where others expect it too, of this place. */
  #constantEdits(name, places) {
    const node = constantNamed(this.source, name)
    const way = onlyWay(places)
    if (!node || !way) return []
    const edits = valueEdits(this.source, { node, way })
    if (mentions(this.source.file, name) <= places.size) return edits
    const [place] = [...places.keys()].filter((one) => !ts.isShorthandPropertyAssignment(one.parent))
    const whole = edits.filter(({ start, end }) => start === bare(node).getStart() && end === bare(node).end)
    return place ? whole.flatMap(({ replacement }) => this.source.edit('value', place.getStart(), place.end, replacement)) : []
  }

  /** The edits of each row: a `pattern`, and `expectations` whose edits may give it another title. */
  #rows({ compared }, params, { table, titleOf, patternOf, shownIn }) {
    const expected = [...compared].filter(([index, places]) => {
      const used = mentions(table.body, params[index])
      const inTitle = contains(table.body, shownIn) ? mentionsIn(shownIn, params[index]) : 0
      return onlyWay(places) && used - inTitle <= places.size
    })
    const titles = table.rows.map((row, at) => titleOf(row, at, new Map()))
    if (titles.includes(undefined) || new Set(titles).size < titles.length) return []
    const taken = new Set(titles)
    const rows = table.rows.map((row, at) => {
      const cells = expected.map(([index, places]) => ({ node: table.names.get(params[index])(row), way: onlyWay(places) }))
      // Two of each: a row has seldom more than one value to alter.
      const drawn = cells.filter(({ node }) => node).flatMap((cell) => [cell, cell].flatMap((one) => valueEdits(this.source, one)))
      const edits = [...new Map(drawn.map((edit) => [`${edit.start} ${edit.replacement}`, edit])).values()]
      const named = edits.map((edit) => ({ ...edit, title: titleOf(row, at, this.#shownAfter(row, edit)) }))
      const usable = named.filter(({ title }) => title === titles[at] || (title !== undefined && !taken.has(title)))
      for (const { title } of usable) taken.add(title)
      const renamed = usable.map((edit) => (edit.title === titles[at] ? edit : { ...edit, renamed: [titles[at], edit.title] }))
      return { pattern: patternOf(titles[at]), expectations: renamed.map((edit) => [edit]) }
    })
    return rows.every(({ expectations }) => expectations.length) ? rows : []
  }

  /** What a title shows of the literal that an edit replaces. */
  #shownAfter(row, { start, end, replacement }) {
    const cells = row instanceof Map ? [...row.values()] : [row]
    const literal = cells.flatMap((cell) => [cell, ...descendants(cell)]).find((node) => node.getStart() === start && node.end === end)
    const text = /^['"`]/.test(replacement) ? replacement.slice(1, -1) : replacement
    return new Map(literal ? [[literal, text]] : [])
  }

  /** The same of one of the file's functions, and which parameters do nothing but be compared. */
  ofHelper(name, settled) {
    const key = `${name} ${settled}`
    if (!this.#analyses.has(key)) {
      this.#analyses.set(key, newAnalysis()) // for recursion
      const helper = this.helpers.get(name)
      const analysis = this.#walk(helper, { settled, params: constantParameters(helper), loops: [] })
      for (const [index, places] of analysis.compared) {
        const used = mentions(helper, helper.parameters[index].name.text)
        if (used > places.size || !onlyWay(places)) analysis.compared.delete(index)
      }
      this.#analyses.set(key, analysis)
    }
    return this.#analyses.get(key)
  }

  #walk(callable, scope) {
    const analysis = newAnalysis()
    this.#body(callable, { ...scope, analysis })
    return analysis
  }

  #body({ body }, scope) {
    if (ts.isBlock(body)) this.#statements(body.statements, scope)
    else if (scope.judges) this.#judge(body, scope)
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
    else if (ts.isReturnStatement(node) && node.expression) {
      if (scope.judges) this.#judge(node.expression, scope)
      else this.#expression(node.expression, scope.settled, scope)
    } else if (ts.isVariableStatement(node)) {
      const given = node.declarationList.declarations.flatMap(({ initializer }) => initializer ?? [])
      for (const initializer of given) this.#expression(initializer, false, scope)
    } else if (ts.isBlock(node)) this.#statements(node.statements, scope)
    else if (ts.isTryStatement(node) && !node.catchClause && !leaves(node.finallyBlock)) {
      this.#statements(node.tryBlock.statements, scope)
      if (!leaves(node.tryBlock)) this.#statements(node.finallyBlock.statements, scope)
    } else if (ts.isForOfStatement(node)) {
      const table = loopTable(this.source, node)
      const inner = table?.rows.length ? { ...scope, loops: [...scope.loops, table] } : scope
      const body = ts.isBlock(node.statement) ? node.statement.statements : [node.statement]
      if (table?.rows.length || isFilled(node.expression)) this.#statements(body, inner)
    }
  }

  /** What a validator returns: it must be true. */
  #judge(expression, scope) {
    const edits = truthEdits(this.source, expression)
    if (edits.length) scope.analysis.expectations.push(edits)
  }

  #expression(expression, settled, scope) {
    const node = bare(expression)
    if (ts.isAwaitExpression(node)) return this.#expression(node.expression, true, scope)
    const expected = expectation(this.source, this.names, node, settled)
    if (expected) {
      if (expected.edits.length) scope.analysis.expectations.push(expected.edits)
      for (const one of expected.expected) this.#compare(one, scope)
      if (expected.validator) this.#body(expected.validator, { ...scope, settled: false, judges: true })
    } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) this.#call(node, settled, scope)
    else if (ts.isCallExpression(node)) this.#each(node, scope)
    return undefined
  }

  /** `rows.forEach((row) => …)`, which runs at once for every row that is written down. */
  #each(call, scope) {
    const table = loopTable(this.source, call)
    const callback = call.arguments[0]
    if (!table?.rows.length || isAsync(callback) || call.expression.name.text !== 'forEach') return
    this.#body(callback, { ...scope, settled: false, loops: [...scope.loops, table] })
  }

  /** A call of one of the file's own functions: what it compares may be written down here. */
  #call(call, settled, scope) {
    const name = call.expression.text
    const helper = this.helpers.get(name)
    if (!helper || (isAsync(helper) && !settled)) return
    this.certain.add(call.expression)
    scope.analysis.helpers.add(name)
    const { compared, helpers } = this.ofHelper(name, settled)
    for (const inner of helpers) scope.analysis.helpers.add(inner)
    const literalUpTo = call.arguments.findIndex(ts.isSpreadElement)
    for (const [index, places] of compared) {
      const node = call.arguments[index]
      if (!node || (literalUpTo >= 0 && index >= literalUpTo)) continue
      const given = { node, way: onlyWay(places) }
      const edits = valueEdits(this.source, given)
      if (edits.length) scope.analysis.expectations.push(edits)
      this.#compare(given, scope)
    }
  }

  /** Which parameter is expected there, or which constants are in what is. */
  #compare({ node, way }, { params, analysis, loops = [] }) {
    const note = (places, key, place) => places.set(key, (places.get(key) ?? new Map()).set(place, way))
    const name = ts.isIdentifier(bare(node)) ? bare(node).text : undefined
    const table = loops.findLast(({ names }) => names.has(name))
    const index = name ? params.indexOf(name) : -1
    if (table) {
      const key = `${name} ${table.body.pos}`
      const known = analysis.looped.get(key) ?? { name, table, pick: table.names.get(name), places: new Map() }
      known.places.set(bare(node), way)
      analysis.looped.set(key, known)
    } else if (index >= 0) note(analysis.compared, index, bare(node))
    else for (const leaf of literalsOf(node)) if (ts.isIdentifier(leaf)) note(analysis.constants, leaf.text, leaf)
  }
}

/** `compared`, `constants`, `looped`: by index or name, the places where it is expected and in which way. */
function newAnalysis() {
  return { expectations: [], helpers: new Set(), compared: new Map(), constants: new Map(), looped: new Map() }
}

function contains(outer, inner) {
  return outer.pos <= inner.pos && inner.end <= outer.end
}

/** As `mentions`, of the node itself too. */
function mentionsIn(node, name) {
  return ts.isIdentifier(node) && node.text === name ? 1 : mentions(node, name)
}

function onlyWay(places) {
  const ways = new Set(places.values())
  return ways.size === 1 ? [...ways][0] : undefined
}

/** The functions that the file declares, each under a name that nothing else in it has. */
function helpersOf(source, names) {
  const helpers = new Map()
  for (const [name, [node, ...others]] of source.bindings) {
    const constant = ts.isVariableDeclaration(node) && node.parent.flags & ts.NodeFlags.Const
    const callable = constant ? node.initializer : node
    const declared = callable && ts.isFunctionDeclaration(callable) && !callable.asteriskToken && callable.body
    const usable = declared || (constant && isPlainFunction(callable))
    if (usable && !others.length && !names(name)) helpers.set(name, callable)
  }
  return helpers
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
