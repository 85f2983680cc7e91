// A solution's side that says whatever it likes: the tests' side ends the conversation, and notes it.
'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pair } = require('./pair.cjs')

/** The answer to the first question of the tests is `node`, and nothing is sent but that. */
function answered(node, ok = true) {
  const { tests, wire, faults, noted } = pair({})
  wire.send = ([kind, number]) => kind === 'q' && tests.take(['r', number, [], ok, node])
  let value
  let error
  try {
    value = tests.ask('zoo.f()', 'call', 1)
  } catch (thrown) {
    error = thrown
  }
  return { value, error, ended: wire.ended, faults, noted, tests }
}

const HOSTILE = {
  'an unknown tag': ['zzz'],
  'no tag': [],
  'a tag that is a number': [1],
  'an odd number by another name': ['n', '__proto__'],
  'a big integer with letters': ['i', '1e5'],
  'a giant integer': ['i', '9'.repeat(100_000)],
  'a symbol that is none': ['y', 'known', 'prototype'],
  'a date of text': ['d', 'now'],
  'a pattern that is none': ['re', '(', '', 0],
  'a pattern with wrong flags': ['re', 'a', 'xx', 0],
  'bytes of an unknown kind': ['b', 'constructor', ''],
  'doubles of three bytes': ['b', 'Float64Array', 'AAAA'],
  'an address that is none': ['url', 'nowhere'],
  'a key that is none': ['key', 'public', 'AAAA'],
  'a key of an unknown kind': ['key', 'constructor', 'AAAA'],
  'headers that are none': ['headers', [['a\nb', 'c']]],
  'a container that never came': ['x', 77],
  'a container of ours that never went': ['x', -77],
  'a container without content': ['o', 101],
  'a container by a text': ['o', 'a', 0, []],
  'a field without a name': ['o', 101, 0, [[1, 2]]],
  'a field of three': ['o', 101, 0, [['a', 1, 2]]],
  'an array whose length is set': ['a', 101, 0, [], [['length', 5]]],
  'an array with another index': ['a', 101, 0, [], [['7', 5]]],
  'a thing of ours that never went': ['k', 99],
  'a function without a number': ['f', null, 'f', 0, null],
  'a function whose class is a text': ['f', 1, 'f', 0, 'Object'],
  'a class that is no trusted one': ['f', 1, 'f', 0, ['c', 'Function']],
  'a class by the name of a prototype': ['f', 1, 'f', 0, ['c', '__proto__']],
  'an instance of a thing that is no class': ['t', 1, ['k', 99], 0],
  'an error without fields': ['e', 1, null, 'm'],
  'an error that never came': ['e', 5],
  'an error with a class of its own making': ['e', 1, ['zzz'], 'm', '', [], [], false],
  'an error that says what its constructor is': ['e', 1, null, 'm', '', [['constructor', 1, true]], [], false],
  'a response that is none': ['response', 1, 99, '', [], false, ''],
  'a request that is none': ['request', 1, 'nowhere', 'GET', [], false, 'follow'],
  'a form that is none': ['form', [['a']]],
}

for (const [what, node] of Object.entries(HOSTILE)) {
  test(`${what} ends the conversation`, () => {
    const { error, ended, faults, tests } = answered(node)
    assert.match(ended, /^protocol error/)
    assert.match(error.message, /does not answer/)
    assert.equal(faults.length, 1)
    // And for good: whoever swallows the first error meets the next one.
    assert.throws(() => tests.ask('zoo.f()', 'call', 1), /does not answer/)
  })
}

for (const [what, message] of Object.entries({
  'an unknown message': ['zzz'],
  'an answer that nobody asked for': ['r', 12_345, [], true, 1],
  'a promise that nobody has': ['s', [], 12_345, true, 1],
  'a change of nothing': ['q', 1, [[5, 'o', 0, []]], [], 0, 'call', 1, ['u'], []],
  'a context of a question that is none': ['q', 1, [], [], 'x', 'call', 1, ['u'], []],
  'a call of nothing': ['q', 1, [], [], 0, 'call', 12_345, ['u'], []],
  'a question without a number': ['q', 'a', [], [], 0, 'call', 1, ['u'], []],
  'a context of its own': ['q', 1, [], [['env', 'PATH', '/']], 0, 'call', 1, ['u'], []],
  'a question that is none': ['q', 1, [], [], 0, 'eval', 1],
  'another version': ['hello', 2],
  'a signal that nobody has': ['abort', 5, null],
})) {
  test(`${what} ends the conversation`, () => {
    const { tests, wire, zoo } = pair({ take() {} })
    zoo.take(() => {}) // so that there is something of ours to name
    const { GivenContext } = require(`${require('./pair.cjs').APART}/context.cjs`)
    tests.context = new GivenContext(tests, process.env)
    tests.take(message)
    assert.match(wire.ended, /^protocol error/)
  })
}

test('a field named __proto__ is a field', () => {
  const { value } = answered(['o', 101, 0, [['__proto__', ['o', 102, 0, [['polluted', true]]]], ['constructor', 1]]])
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal({}.polluted, undefined)
})

test('an error of the solution has no class but a trusted one, and no live fields', () => {
  const assertion = ['e', 1, ['f', 2, 'AssertionError', 0, ['c', 'TypeError'], 0], 'm', 's', [['code', 'E', true], ['toString', ['f', 3, 'f', 0, null, 0], true]], [], false]
  const { error } = answered(assertion, false)
  assert.ok(error instanceof TypeError)
  assert.equal(error.constructor.name, 'AssertionError')
  assert.ok(!(error instanceof assert.AssertionError))
  assert.equal(error.code, 'E')
})

test('a promise that is settled twice ends the conversation', () => {
  const { tests, wire } = answered(['p', 4])
  void wire
  tests.take(['s', [], 4, true, 1])
  tests.take(['s', [], 4, true, 2])
  assert.throws(() => tests.ask('', 'call', 1), /does not answer/)
})
