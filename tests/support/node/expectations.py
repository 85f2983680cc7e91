"""Expectations as people write them in JavaScript tests; each one holds."""

APP = """export const double = (n) => 2 * n
export const user = () => ({ name: 'Ada', tags: ['a', 'b'], age: 36 })
export const broken = () => { throw new TypeError('broken') }
export const greeting = () => 'Welcome back, Ada'
export const later = async (value) => value
export const never = async () => { throw new TypeError('never') }
"""
IMPORTS = "import { broken, double, greeting, later, never, user } from '../expected/src/app.js'\n"

ANYWHERE = """
for (const n of [1, 2]) { CHECK(double(n) === 2 * n) }
try { CHECK(double(2) === 4) } finally { double(1) }
{ CHECK(!broken.missing) }
const four = await later(4); CHECK(four === 4 && four < 5)
"""
EXPECT = """
expect(double(2)).toBe(4)
expect(double(2)).not.toBe(5)
expect(user()).toEqual({ name: 'Ada', tags: ['a', 'b'], age: 36 })
expect(user()).toStrictEqual({ name: 'Ada', tags: ['a', 'b'], age: 36 })
expect([user()]).toMatchObject([{ name: 'Ada', tags: ['a', 'b'] }])
expect(user()).toMatchObject({ name: expect.any(String), age: 36 })
expect(user()).not.toMatchObject({ name: 'Bob' })
expect(user()).toHaveProperty('name', 'Ada')
expect(user().tags).toHaveLength(2)
expect(user().tags).toContain('a')
expect([user()]).not.toContainEqual({ name: 'Bob' })
expect(greeting()).toContain('Welcome')
expect([{ text: greeting() }]).toContainEqual({ text: 'Welcome back, Ada' })
expect(greeting()).toMatch('back, Ada')
expect(greeting()).toMatch(/welcome (back)?, \\w+/i)
expect(greeting()).toEqual(expect.stringContaining('Welcome'))
expect(user()).toEqual(expect.objectContaining({ age: expect.any(Number) }))
expect([]).toEqual([])
expect({ none: user().missing }).toStrictEqual({ none: undefined })
expect(user().name).toMatch(/da/)
expect(user()).toBeTruthy()
expect(user().missing).toBeFalsy()
expect(user()).toBeDefined()
expect(null).toBeNull()
expect(user().missing).toBeUndefined()
expect(Number('x')).toBeNaN()
expect(0.1 + 0.2).toBeCloseTo(0.3)
expect(double(2)).toBeGreaterThan(3)
expect(double(2)).toBeLessThanOrEqual(4)
expect(user().tags).toBeInstanceOf(Array)
expect(broken).toThrow()
expect(broken).toThrow('broken')
expect(broken).toThrow(/^broken$/)
expect(broken).toThrow(TypeError)
expect(broken).toThrow(new TypeError('broken'))
expect(broken).not.toThrow('other')
expect(() => double(1)).not.toThrow()
await expect(later(4)).resolves.toBe(4)
await expect(later(4)).resolves.not.toBe(5)
await expect(later(4)).resolves.not.toThrow()
await expect(never()).rejects.toThrow()
await expect(never()).rejects.toThrow('never')
await expect(never()).rejects.toThrow(TypeError)
await expect(never()).rejects.not.toThrow('other')
await expect(never()).rejects.toBeInstanceOf(TypeError)
await expect(never()).rejects.toMatchObject({ message: 'never' })
await expect(never()).rejects.toHaveProperty('message', 'never')
await expect(Promise.reject('text')).rejects.toBe('text')
await expect(Promise.reject(7)).rejects.toEqual(7)
return expect(later(user())).resolves.toEqual({ name: 'Ada', tags: ['a', 'b'], age: 36 })
const mock = FN(double); mock(1); mock(2); expect(mock).toHaveBeenCalledTimes(2)
const mock = FN(double); mock(1); mock(2); expect(mock).toHaveBeenCalledWith(1)
const mock = FN(double); mock('third'); mock('other'); expect(mock).toHaveBeenCalledWith('third')
const mock = FN(double); mock(1); mock(2); expect(mock).toHaveBeenLastCalledWith(2)
const mock = FN(double); mock(1); mock(2); expect(mock).toHaveBeenNthCalledWith(1, 1)
const mock = FN(double); expect(mock).not.toHaveBeenCalled()
const mock = FN(double); mock(1); expect(mock).toHaveReturnedWith(2)
const got = user() as any; expect(got.name as string).toBe('Ada' as const)
const name = 'Ada'; expect(user().name).toBe(name); expect(user()).toMatchObject({ name })
expect(broken).toThrow(REASON)
checkDouble(2, 4)
await checkLater('x')
await checkCode({ code: 'x' }, 'x')
"""
EXPECT_HELPERS = """
const REASON = 'broken'
function checkDouble(n, wanted) { expect(double(n)).toBe(wanted) }
async function checkCode(answer, code) { checkSame((await later(answer)).code, code) }
function checkSame(got, wanted) { expect(got).toBe(wanted) }
async function checkLater(value) { await expect(later(value)).resolves.toBe(value) }
"""
VITEST_ONLY = """
expect(double(2), 'a message').not.toBe(5)
const mock = FN(double); mock(1); expect(mock).toHaveBeenCalledOnce()
expect(user().name).toBeTypeOf('string')
expect(double(2)).toSatisfy((n) => n === 4)
expect(user().name).toBeOneOf(['Ada', 'Bob'])
expect(double(2)).to.equal(4)
expect(user().tags).to.have.lengthOf(2)
assert.deepEqual(user().tags, ['a', 'b'])
expect(broken).toThrowError('broken')
"""
NODE_ASSERT = """
assert.equal(double(2), 4)
assert.notEqual(double(2), 5)
assert.strictEqual(user().name, 'Ada')
assert.notStrictEqual(user(), user())
assert.deepEqual(user(), { name: 'Ada', tags: ['a', 'b'], age: 36 })
assert.deepStrictEqual(user().tags, ['a', 'b'])
assert.notDeepEqual(user().tags, ['a'])
assert.strict.equal(double(2), 4)
assert.ok(double(2) > 3, 'a message')
assert(user().tags.includes('a'))
assert(greeting().startsWith('Welcome'))
assert.strictEqual(user().missing, undefined)
assert.equal(user().missing, null)
assert.equal(typeof user().name, 'string')
assert.equal(user().name, NAME)
assert(double(2) === 4 || double(2) === 5)
assert.ok(!user().missing)
assert.ok(user() instanceof Object)
assert.match(user().name, /^A/)
assert.doesNotMatch(user().name, /^B/)
assert.throws(broken)
assert.throws(broken, TypeError)
assert.throws(broken, { message: 'broken' })
assert.throws(broken, { name: 'TypeError', message: /^broken$/ })
assert.throws(broken, /^TypeError: broken/)
assert.throws(broken, (error) => error instanceof TypeError && error.message === 'broken')
assert.throws(broken, (error) => { return /broken/.test(error.message) })
assert.throws(broken, (error) => { assert.equal(error.message, 'broken'); return true })
assert.doesNotThrow(() => double(1))
await assert.rejects(never())
await assert.rejects(never(), /never/)
await assert.rejects(never(), { message: 'never' })
await assert.doesNotReject(later(1))
return assert.rejects(never(), TypeError)
strictEqual(double(2), 4)
ok(user().name)
checkDouble(2, 4)
await checkRefused(never, 'never')
"""
ASSERT_HELPERS = """
const NAME = 'Ada'
const checkDouble = (n, wanted) => assert.equal(double(n), wanted)
async function checkRefused(call, message) {
  await assert.rejects(call(), (error) => {
    assert.equal(error.message, message)
    return true
  })
}
"""
CHAI = """
expect(double(2)).to.equal(4)
expect(double(2)).to.not.equal(5)
expect(double(2)).not.to.equal(5)
expect(user()).to.deep.equal({ name: 'Ada', tags: ['a', 'b'], age: 36 })
expect(user().tags).to.eql(['a', 'b'])
expect(user().tags).to.have.lengthOf(2)
expect(user().tags).to.be.an('array').that.includes('a')
expect(user().tags).to.have.members(['b', 'a'])
expect(user()).to.have.property('name', 'Ada')
expect(user()).to.have.property('name').that.equals('Ada')
expect(user()).to.have.all.keys('name', 'tags', 'age')
expect(user()).to.include({ age: 36 })
expect(double(2) === 4).to.be.true
expect(user().missing).to.be.undefined
expect(user().missing).to.not.exist
expect([]).to.be.empty
expect(user().tags).to.not.be.empty
expect(double(2)).to.be.above(3)
expect(double(2)).to.be.within(3, 5)
expect(user().name).to.match(/da$/)
expect(greeting()).to.include('Welcome')
expect(greeting()).to.be.a('string').that.contains('Welcome')
expect(user().tags).to.be.an.instanceOf(Array)
expect(broken).to.throw()
expect(broken).to.throw(TypeError, 'broken')
expect(broken).to.not.throw(RangeError)
expect(double(2)).to.be.a('number').and.equal(4)
chai.expect(double(2)).is.oneOf([3, 4])
should.equal(double(2), 4)
should.notEqual(double(2), 5)
should.deepEqual(user().tags, ['a', 'b'])
should.isTrue(double(2) === 4)
should.isUndefined(user().missing)
should.include(user().tags, 'a')
should.include(greeting(), 'Welcome')
should.propertyVal(user(), 'name', 'Ada')
should.throws(broken, TypeError, 'broken')
should.lengthOf(user().tags, 2)
should.isAbove(double(2), 3)
should.throws(broken, TypeError)
should(double(2) === 4)
"""
# What each comes to expect when it expects another value, OTHER for what is drawn; none where
# honest code may hold both.
OWN_CLASS = "class OTHER extends Error {}"
VALUES: dict[str, list[str]] = {
    "expect(f).toThrow('no such user')": ["expect(f).toThrow('OTHER')"],
    "expect(f).toThrow('no')": [],
    "expect(f).toThrow('12345')": [],
    'expect(f).toThrow("can\'t read it")': ['expect(f).toThrow("OTHER")'],
    "expect(f).toThrow('a \\t tab, escaped')": [],
    "expect(f).toThrow(/not \\d+ found/)": ["expect(f).toThrow(/not \\d+OTHER/)"],
    "expect(f).toThrow(/found|missing/)": [],
    "expect(f).toThrow(/(found|missing) accounts?/)": [
        "expect(f).toThrow(/(found|missing)OTHERs?/)"
    ],
    "expect(f).toThrow(/^no/)": ["expect(f).toThrow(/^OTHER/)"],
    "expect(f).toThrow(/^no/m)": [],
    "expect(f).toThrow(/\\x41\\u0042 missing/)": [],
    "expect(f).toThrow(/[missing]{5}(?!missing)\\$/)": [],
    "expect(f).toThrow(/4\\d4 1s$/)": ["expect(f).toThrow(/4\\dOTHER$/)"],
    "expect(f).toThrow(Error)": [f"expect(f).toThrow({OWN_CLASS})"],
    "expect(f).toThrow(errors.NotFound)": [f"expect(f).toThrow({OWN_CLASS})"],
    "expect(f).toThrow(new Error('gone'))": ["expect(f).toThrow(new Error('OTHER'))"],
    "await expect(f()).rejects.toThrowError('refused')": [
        "await expect(f()).rejects.toThrowError('OTHER')"
    ],
    "expect(f).not.toThrow('no such user')": [],
    "expect(x).toBeInstanceOf(Error)": [f"expect(x).toBeInstanceOf({OWN_CLASS})"],
    "expect(x).toBeInstanceOf(Object)": [],
    "expect(x).toBeInstanceOf(Client)": [f"expect(x).toBeInstanceOf({OWN_CLASS})"],
    "expect(x).toContain(1)": [],
    "expect(x).toContain('token')": ["expect(x).toContain('OTHER')"],
    "expect(x).toContainEqual({ id: 1 })": [],
    "expect(x).toContainEqual({ id: 1, name: 'first' })": [
        "expect(x).toContainEqual({ id: 1, name: 'OTHER' })"
    ],
    "expect(x).toHaveProperty('a.b', 3)": ["expect(x).toHaveProperty('a.b', OTHER)"],
    "expect(x).toMatchObject({ a: [], b: {} })": [],
    "expect(x).toMatchObject({ a: null })": ["expect(x).toMatchObject({ a: OTHER })"],
    "expect(x).toHaveBeenCalledWith(1, true)": [],
    "expect(x).toHaveBeenCalledWith(expect.any(String))": [],
    "expect(x).toHaveBeenCalledWith(...x, 'second')": [],
    "expect(x).toHaveBeenCalledWith('first', expect.objectContaining({ id: 'second' }))": [
        "expect(x).toHaveBeenCalledWith('first', expect.objectContaining({ id: 'OTHER' }))",
        "expect(x).toHaveBeenCalledWith('OTHER', expect.objectContaining({ id: 'second' }))",
    ],
    "expect(x).toHaveBeenNthCalledWith(2, 7)": ["expect(x).toHaveBeenNthCalledWith(2, OTHER)"],
    "expect(x).toHaveAttribute('href', '/a')": ["expect(x).toHaveAttribute('href', 'OTHER')"],
    "expect(x).toHaveTextContent('Welcome')": ["expect(x).toHaveTextContent('OTHER')"],
    "expect(x).toHaveTextContent(/welcome/i)": ["expect(x).toHaveTextContent(/OTHER/i)"],
    "expect(x).toBeCloseTo(1.5)": ["expect(x).toBeCloseTo(OTHER)"],
    "expect(x).toBeCloseTo(1.5, 0)": [],
    "expect(x).toBeNull()": ["expect(x).OTHER()"],
    "expect(x).toBeGreaterThan(3)": [],
}
TITLES = r"""
SUITE('a (b) > c. [d] $e %s', () => {
  TEST('it\'s "quoted" \\ 100% ünï 🎉', () => { CHECK(double(2) === 4) })
  for (const n of [1, 2]) TEST(`${n} doubled`, () => { CHECK(double(n) === 2 * n) });
  [3, 4].forEach((n) => { TEST('loop ' + n, () => { CHECK(double(n) === 2 * n) }) })
})
"""
TABLES = """
describe.each([1, 2])('times %i', (n) => {
  test('of each', () => { expect(double(n)).toBe(2 * n) })
})
describe('short', () => test('er', () => expect(double(2)).toBe(4)))
test.each([[1, 2], [2, 4]])('%i twice is %i', (n, m) => { expect(double(n)).toBe(m) })
const ROWS = [{ n: 5, wanted: 10 }, { n: 6, wanted: 12 }]
test.each(ROWS)('$n is $wanted', ({ n, wanted }) => { expect(double(n)).toBe(wanted) })
test.each`
  n    | wanted
  ${7} | ${14}
  ${8} | ${16}
`('of $n comes $wanted', ({ n, wanted }) => { expect(double(n)).toBe(wanted) })
test('4 is twice 2', () => { expect(double(2)).toBe(4) })
test('rows', () => { for (const [n, m] of [[1, 2], [3, 6]]) expect(double(n)).toBe(m) })
test.each([{ n: 1, name: 'one' }, { n: 2, name: 'two' }])('by $name', ({ n }) => {
  expect(double(n)).not.toBe(0)
})
"""


def cases(lines: str, test: str = "test") -> str:
    """One test for each line."""
    listed = [line for line in lines.splitlines() if line]
    return "".join(
        f"{test}('case {number}: {lines_head(line)}', async () => {{ {line} }})\n"
        for number, line in enumerate(listed)
    )


def lines_head(line: str) -> str:
    """What can stand in a title."""
    return "".join(c for c in line[:40] if c.isalnum() or c in " .()")
