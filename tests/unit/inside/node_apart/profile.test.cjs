// What the reference did is what may be used; everything else is noted before a test can be fooled by it.
'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { compared, pair } = require('./pair.cjs')

const NOT_THE_REFERENCES = /which the reference does not do/

function departs(reference, other, use) {
  const { error, departures } = compared(reference, other, use)
  assert.match(String(error?.message), NOT_THE_REFERENCES)
  assert.ok(departures.length > 0)
}

function passes(reference, other, use) {
  const { error, departures } = compared(reference, other, use)
  assert.equal(error, null)
  assert.deepEqual(departures, [])
}

test('plain data of another kind is an answer', () => {
  passes({ f: () => 'ab' }, { f: () => ['a', 'b'] }, ({ f }) => assert.equal(f().length, 2))
})

test('a method where the reference gave data is not asked', () => {
  const use = ({ f }) => assert.ok(f().includes('x'))
  departs({ f: () => 'xy' }, { f: () => ({ includes: () => true }) }, use)
  departs({ f: () => ['x'] }, { f: () => new (class { includes() { return true } })() }, use) // prettier-ignore
})

for (const name of ['toString', 'valueOf', 'toJSON', 'asymmetricMatch', 'equals', 'inspect']) {
  test(`${name} of the solution's own is not asked`, async () => {
    const use = ({ f }) => {
      const given = f()
      void given[name]?.('x')
    }
    departs({ f: () => ({}) }, { f: () => ({ [name]: () => 'forged' }) }, (zoo) => {
      if (typeof zoo.f()[name] === 'function' && Object.hasOwn(zoo.f(), name)) use(zoo)
    })
  })
}

test('an instance is converted by nobody but the tests', () => {
  class Anything {
    [Symbol.toPrimitive]() {
      return 42
    }
    get [Symbol.toStringTag]() {
      return 'Number'
    }
  }
  const { zoo } = pair({ f: () => new Anything() }, ['function zoo.f', 'call zoo.f'])
  assert.notEqual(Number(zoo.f()), 42)
  assert.equal(Object.prototype.toString.call(zoo.f()), '[object Object]')
})

test('a function in the place of data can be passed on, and not be looked at', () => {
  const reference = { make: () => ({ id: 1 }), use: (made) => made.id }
  const other = { make: () => Object.assign(() => 1, { id: 1 }), use: (made) => made.id }
  passes(reference, other, ({ make, use }) => assert.equal(use(make()), 1))
  departs(reference, other, ({ make }) => assert.equal(make().id, 1))
})

for (const [what, make] of Object.entries({
  'plain object': () => ({ includes: () => true }),
  instance: () => new (class { includes() { return true } })(),
  'list of such': () => [{ includes: () => true }],
})) {
  test(`what a ${what} may do where it came first, it may not do elsewhere`, () => {
    const use = ({ list, text }) => {
      assert.ok([list()].flat()[0].includes('x'))
      assert.ok([text()].flat()[0].includes('x'))
    }
    const shared = make()
    passes({ list: make, text: () => 'xy' }, { list: make, text: () => 'xy' }, use)
    departs({ list: make, text: () => 'xy' }, { list: () => shared, text: () => shared }, use)
  })
}

test('what is the same by two ways in the reference may be so elsewhere', () => {
  const fluent = () => new (class { add() { return this } })() // prettier-ignore
  passes({ make: fluent }, { make: fluent }, ({ make }) => {
    const made = make()
    assert.equal(made.add().add(), made)
  })
  passes({ f: () => 1 }, Object.assign({ f: () => 1 }, { again: {} }), ({ f }) => assert.equal(f(), 1))
})

test('a name that looks like a path is a name', () => {
  const reference = { f: () => ({ a: () => () => 1 }), g: () => ({}) }
  const use = ({ f, g }) => {
    f().a()()
    for (const key of Object.keys(g())) g()[key]()
  }
  for (const key of ['\nzoo.f', 'x\nzoo.f().a', '()', 'a()']) departs(reference, { ...reference, g: () => ({ [key]: () => 1 }) }, use)
  departs({ f: () => ({ a: () => () => 1, b: 1 }) }, { f: () => ({ a: () => () => 1, 'a()': () => 1 }) }, ({ f }) => {
    f().a()()
    f()['a()']?.()
  })
})

test('a second name for a function is no departure', () => {
  const f = () => 1
  passes({ f }, { f, default: { f }, g: f }, (zoo) => assert.equal(zoo.f(), 1))
})

test('arguments are changed only where the reference changes them', () => {
  const sorting = { f: (list) => list.sort().length }
  const copying = { f: (list) => [...list].length }
  const use = ({ f }) => {
    const list = [2, 1]
    f(list)
    return list
  }
  assert.deepEqual(compared(sorting, sorting, use).changes, [])
  const { changes, departures } = compared(copying, sorting, use)
  assert.deepEqual([changes.length, departures], [1, []])
  const reference = pair(copying)
  use(reference.zoo)
  assert.deepEqual(use(pair(sorting, reference.noted('fact')).zoo), [1, 2])
})

test('tests may keep their own of what is changed; what is given back is what was made of it', () => {
  const returning = { f: (list) => list.sort() }
  const use = ({ f }) => {
    const list = [2, 1]
    return [f(list), list]
  }
  const reference = pair({ f: (list) => [...list].sort() })
  use(reference.zoo)
  const held = pair(returning, [...reference.noted('fact'), 'copies'])
  assert.deepEqual(use(held.zoo), [[1, 2], [2, 1]])
  assert.equal(held.noted('change').length, 1)
})

test('what only the solution exports is no departure until it is used', () => {
  passes({ f: () => 1 }, { f: () => 1, helper: () => 2, Extra: class {} }, ({ f }) => assert.equal(f(), 1))
})

test('an assertion that fails in a callback is noted, and not explained to the solution', () => {
  let told
  const { zoo, noted } = pair({
    f(callback) {
      try {
        callback(1)
      } catch (error) {
        told = error.message
      }
    },
  })
  zoo.f((value) => assert.equal(value, 'the secret'))
  assert.equal(told, 'an assertion failed')
  assert.match(noted('fault')[0], /an assertion failed in a function/)
})

test('things of the tests are read only as the reference reads them', () => {
  class Client {
    secret = new (class { key = 1 })() // prettier-ignore
    name = 'client'
    options = { words: ['a'] }
    run() {
      return 'ran'
    }
  }
  const reference = { f: (client) => client.run() }
  passes(reference, { f: (client) => `${client.name}`.length && client.run() }, ({ f }) => assert.equal(f(new Client()), 'ran'))
  passes(reference, { f: (client) => client.options.words.length && client.run() }, ({ f }) => assert.equal(f(new Client()), 'ran'))
  const { error, departures } = compared(reference, { f: (client) => client.secret.key }, ({ f }) => f(new Client()))
  assert.match(String(error?.message), /it can not be had/)
  assert.equal(departures.length, 1)
})

test('what the solution sets in a thing of the tests is told, and is not there where the tests keep their own', () => {
  class Player {
    notes = []
    check() {
      return this.notes.length
    }
  }
  const setting = { f: (player) => Object.assign(player, { check: () => 9, mood: 'gay' }).mood }
  const use = ({ f }) => {
    const player = new Player()
    return [f(player), player.check(), player.mood]
  }
  const reference = pair({ f: () => 'gay' })
  use(reference.zoo)
  const facts = reference.noted('fact')
  const free = pair(setting, facts)
  assert.deepEqual(use(free.zoo), ['gay', 9, 'gay'])
  assert.deepEqual([free.noted('change').length, free.noted('departure').length], [2, 0])
  assert.deepEqual(use(pair(setting, [...facts, 'copies']).zoo), ['gay', 0, undefined])
})

test('whatever can be iterated is what the reference gave', async () => {
  const list = { f: () => [1, 2] }
  const kinds = [function* () { yield* [1, 2] }, () => [1, 2].values(), () => new (class extends Array {})(1, 2), () => new (class { [Symbol.iterator]() { return [1, 2].values() } })()] // prettier-ignore
  for (const f of kinds) passes(list, { f }, (zoo) => assert.deepEqual([...zoo.f()], [1, 2]))
  const steps = { f: kinds[0] }
  for (const f of kinds.slice(1)) {
    passes(steps, { f }, (zoo) => {
      for (const one of zoo.f()) {
        assert.equal(one, 1)
        break
      }
    })
  }
})

test('an iterator without an end where the reference gave an array is an error', () => {
  const { error } = compared({ f: () => [1] }, { f: function* () { for (;;) yield 1 } }, (zoo) => [...zoo.f()]) // prettier-ignore
  assert.match(String(error.message), /more than 100000 items/)
})

test('an error that tests make is told once somebody looks at it', () => {
  const made = []
  const exported = (log) => ({
    f: () => log.length,
    Failure: class Failure extends Error {
      constructor(message) {
        super(message)
        log.push(message)
      }
    },
  })
  const use = ({ f, Failure }) => {
    const expected = new Failure('told')
    const before = f()
    assert.equal(expected.message, 'told')
    assert.ok(expected instanceof Failure && expected instanceof Error)
    return [before, f()]
  }
  const reference = pair(exported([]))
  use(reference.zoo)
  assert.deepEqual(use(pair(exported(made), reference.noted('fact')).zoo), [0, 1])
})

test('symbols of its own are names on both sides', () => {
  const KEY = Symbol('key')
  const { zoo } = pair({ KEY, f: () => ({ [KEY]: 1, more: 2 }), g: (key) => key === KEY })
  assert.equal(typeof zoo.KEY, 'symbol')
  assert.equal(zoo.f()[zoo.KEY], 1)
  assert.equal(zoo.g(zoo.KEY), true)
  assert.equal(zoo.g(Symbol('key')), false)
})

test('who says that it has anything has what it lists', () => {
  const use = ({ f }) => ['first' in f(), 'second' in f()]
  const reference = pair({ f: () => ({ first: 1 }) })
  use(reference.zoo)
  const found = (handler) => use(pair({ f: () => new Proxy({}, handler) }, reference.noted('fact')).zoo)
  assert.deepEqual(found({ has: () => true }), [false, false])
  assert.deepEqual(found({ has: (_, name) => name === 'first' }), [true, false])
})

test('classes are the same behind a proxy, and by their prototypes alone', () => {
  class Real {}
  function Old() {}
  Old.prototype = Object.create(RangeError.prototype)
  const { zoo } = pair({ Real: new Proxy(Real, {}), make: () => new Real(), Old, fail: () => new Old() })
  assert.ok(zoo.make() instanceof zoo.Real)
  assert.ok(zoo.fail() instanceof zoo.Old)
  assert.ok(zoo.fail() instanceof RangeError)
})

for (const name of ['constructor', '__proto__', 'run']) {
  test(`whoever asks by hand for ${name} of a thing of the tests is refused`, () => {
    const { tests, zoo, noted } = pair({ take() {} }, ['function zoo.take', 'call zoo.take'])
    class Client {
      run() {}
    }
    zoo.take(new Client())
    const lent = [...Array(20).keys()].find((number) => isLent(tests, number, Client))
    tests.take(['q', 1, [], [], 0, 'get', lent, name])
    assert.equal(noted('departure').length, 1)
  })
}

function isLent(peer, number, kind) {
  try {
    return peer.borrowed(number).object instanceof kind
  } catch {
    return false
  }
}

for (const [how, compare] of Object.entries({
  deepEqual: (a, b) => assert.deepEqual(a, b),
  'deepEqual, not strictly': (a, b) => require('node:assert').deepEqual(a, b),
  'deepEqual of lists': (a, b) => assert.deepEqual([1, a], [1, b]),
  'field by field': (a, b) => Object.keys(b).every((key) => a[key] === b[key]),
})) {
  test(`two objects of the solution are not held against each other: ${how}`, () => {
    class Money {
      constructor() {
        this.amount = 0
      }
    }
    const { zoo, noted } = pair({ Money })
    assert.throws(() => compare(new zoo.Money(1), new zoo.Money(2)), /both the solution's/)
    assert.equal(noted('obstacle').length, 1)
  })
}

test('an error that the tests make says what they gave it', () => {
  class Failure extends Error {
    constructor(message, code) {
      super(message)
      this.code = code
    }
  }
  class Mute extends Error {
    constructor() {
      super('')
    }
  }
  const use = ({ Failure: Made }) => assert.equal(new Made('text', 7) instanceof Made, true)
  passes({ Failure }, { Failure: class extends Failure {} }, use)
  const { error, departures } = compared({ Failure }, { Failure: Mute }, use)
  assert.match(error.message, /does not say what the tests gave it/)
  assert.equal(departures.length, 1)
})

test('many objects of the solution are compared with data', () => {
  class Money {
    constructor(amount) {
      this.amount = amount
    }
  }
  const { zoo } = pair({ list: () => [new Money(1), new Money(2)], make: (amount) => new Money(amount) })
  require('node:assert').deepEqual(zoo.list(), [{ amount: 1 }, { amount: 2 }])
  assert.deepEqual(zoo.list().map((one) => ({ ...one })), [{ amount: 1 }, { amount: 2 }])
  assert.deepEqual(zoo.list().map((one) => one.amount), [1, 2])
  assert.equal(zoo.make(1).amount + zoo.make(1).amount, 2)
})

test('what can not cross is an obstacle for the reference, and says where', () => {
  const { zoo, noted } = pair({ f: () => new WeakMap(), g: (value) => value })
  assert.throws(() => zoo.f(), /zoo\.f\(\): a weak collection can't pass/)
  assert.throws(() => zoo.g(new Blob(['x'])), /zoo\.g\(0\): a file/)
  assert.throws(() => new (class extends zoo.f {})(), /extends/)
  assert.equal(noted('obstacle').length, 3)
})

test('functions that reach files, processes or code are not handed out', () => {
  const { zoo, noted } = pair({ f() {} })
  const fs = require('node:fs')
  for (const value of [fs.writeFileSync, fs.promises.rm, eval, Function, require('node:child_process').spawn, process.kill, require]) {
    assert.throws(() => zoo.f({ run: value }), /can't pass/)
  }
  assert.equal(noted('obstacle').length, 1)
})

test('a change of what all code shares is noted', () => {
  const { tests, noted } = pair({}, [])
  tests.take(['trace', 'Object.prototype'])
  assert.match(noted('departure')[0], /Object\.prototype/)
})
