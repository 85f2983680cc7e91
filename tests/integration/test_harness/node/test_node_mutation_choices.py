"""Which expectations of JavaScript and TypeScript tests are mutated, and which left alone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from sdkbench.errors import HarnessFault
from sdkbench.sandbox import Limits
from sdkbench.test_harness import Harness, TypeScriptTestRunner
from sdkbench.test_harness.mutations import Mutation
from tests.support.node import expectations as written
from tests.support.node.mutants import MANIFEST, edited, runner_of, texts_of
from tests.support.projects import Files, MakeSample, write

Mutate = Callable[[str], list[str]]
MutateEach = Callable[[Files], dict[str, list["Mutant"]]]


class Mutant(NamedTuple):
    """The line of a test file as it is after one of its mutations; OTHER for another value."""

    kind: str
    line: str


def masked(mutation: Mutation) -> str:
    """What is drawn can't be told; quotes and the making of a class can."""
    text = re.sub(r"^class \w+ ", "class OTHER ", mutation.replacement)
    quoted = re.fullmatch(r"(['\"`]).*\1", text)
    return f"{quoted[1]}OTHER{quoted[1]}" if quoted else text if "OTHER" in text else "OTHER"


@pytest.fixture
def mutate_each(make_sample: MakeSample, harness: Harness, tmp_path: Path) -> MutateEach:
    """What the mutations of each test file make of it, by the file's name."""

    def lines(tests: Files) -> dict[str, list[Mutant]]:
        sample = make_sample({"package.json": MANIFEST}, tests)
        runner = runner_of(sample, harness, tmp_path / "original")
        texts = texts_of(runner.project)
        found: dict[str, list[Mutant]] = {name: [] for name in tests}
        for a in runner.mutations():
            assert "\n" not in a.replacement + texts[a.path][a.start : a.end]
            assert texts[a.path].count("\n", 0, a.start) == a.line - 1
            assert a.replacement != texts[a.path][a.start : a.end]
            shown = a if a.kind == "sense" else a.model_copy(update={"replacement": masked(a)})
            line = edited(texts[a.path], shown).split("\n")[a.line - 1].strip()
            found[a.path.removeprefix("tests/")].append(Mutant(a.kind, line))
        return found

    return lines


@pytest.fixture
def mutate(mutate_each: MutateEach) -> Mutate:
    def lines(body: str) -> list[str]:
        return [line for _, line in mutate_each({"one.test.ts": body})["one.test.ts"]]

    return lines


LEFT_OUT = {
    "a condition": "if (x) { expect(x).toBe(1) }",
    "a conditional expression": "x && expect(x).toBe(1)",
    "after a conditional return": "if (x) return\nexpect(x).toBe(1)",
    "after a skip": "if (x) ctx.skip()\nexpect(x).toBe(1)",
    "a handler": "try { expect(x).toBe(1) } catch {}",
    "a finally that swallows": "try { expect(x).toBe(1) } finally { return }",
    "a loop that may not run": "for (const y of x) { expect(y).toBe(1) }",
    "a loop that may go on": "for (const y of [1, 2]) { if (y) continue; expect(y).toBe(1) }",
    "a switch that goes on": "for (const y of [1]) { switch (x) { case 1: continue }\n"
    "expect(y).toBe(1) }",
    "a callback": "x.forEach((y) => { expect(y).toBe(1) })",
    "waiting": "await waitFor(() => expect(x).toBe(1))",
    "nobody waits": "expect(x).resolves.toBe(1)",
    "a snapshot": "expect(x).toMatchSnapshot()\nexpect(x).toMatchInlineSnapshot(`1`)",
    "not an expectation": "expect.assertions(1)\nexpect.hasAssertions()",
    "soft and polling": "expect.soft(x).toBe(1)\nawait expect.poll(() => x).toBe(1)",
    "a matcher of unknown kind": "expect(x).toBeWithinRange(1)",
    "perhaps nothing": "expect(x)?.toBe(1)",
    "an asynchronous function that nobody awaits": "late(x)",
    "a function that is not always called": "if (x) sure(x)\n",
}  # fmt: skip


BOTH_WAYS = [
    "test('plain', () => { expect(x).toBe(OTHER) })",
    "test('plain', () => { expect(x).not.toBe(1) })",
]


def test_expectations_that_a_pass_may_go_past_are_left_alone(mutate: Mutate) -> None:
    tests = "".join(
        f"test('{name}', async (ctx) => {{\n{body}\n}})\n" for name, body in LEFT_OUT.items()
    )
    head = "import { expect, test, waitFor } from 'vitest'\nlet x: any\n"
    helpers = (
        "async function late(y) { expect(y).toBe(1) }\nfunction sure(y) { expect(y).toBe(1) }\n"
    )
    calls = "test('calls', () => { sure(x) })\n"
    plain = "test('plain', () => { expect(x).toBe(1) })\n"
    assert mutate(head + helpers + tests + calls + plain) == BOTH_WAYS


NO_TESTS = """import { describe, expect, it, test } from 'vitest'
const given = (name, body) => body()
test.skip('a', () => { expect(1).toBe(1) })
test.todo('b')
test.fails('c', () => { expect(1).toBe(1) })
test('d', { skip: true }, () => { expect(1).toBe(1) })
test('e', { fails: true }, () => { expect(1).toBe(1) })
test('f', options(), () => { expect(1).toBe(1) })
test.skipIf(given)('g', () => { expect(1).toBe(1) })
describe.skip('h', () => { test('i', () => { expect(1).toBe(1) }) })
function shared() { test('j', () => { expect(1).toBe(1) }) }
given('k', () => { expect(1).toBe(1) })
test('l', named)
test('m', function* () { expect(1).toBe(1) })
test('plain', () => { expect(x).toBe(1) })
"""


def test_what_is_no_test_that_passes_is_left_alone(mutate: Mutate) -> None:
    assert mutate(NO_TESTS) == BOTH_WAYS


def test_names_that_the_file_gives_to_other_things_are_not_understood(mutate: Mutate) -> None:
    own = "import { test } from 'vitest'\nconst expect = (x) => x\n"
    assert mutate(own + "test('a', () => { expect(1).toBe(1) })\n") == []


KNOWN: list[tuple[str, str, str | None]] = [
    ("const assert = require('assert')", "assert(x)", "assert(!x)"),
    ("const assert = require('node:assert').strict", "assert.ok(x)", "assert.ok(!x)"),
    ("const { strict: check } = require('assert')", "check.ok(x)", "check.ok(!x)"),
    ("const { ok } = require('node:assert')", "ok(x)", "ok(!x)"),
    ("import * as assert from 'assert'", "assert.ok(x)", "assert.ok(!x)"),
    ("import { ok as yes } from 'assert/strict'", "yes(x)", "yes(!x)"),
    ("const { expect } = require('chai')", "expect(x).to.be.ok", "expect(x).to.not.be.ok"),
    (
        "const chai = require('chai')\nconst { assert } = chai",
        "assert.ok(x)",
        "assert.notOk(x)",
    ),
    ("import chai from 'chai'", "chai.expect(x).to.exist", "chai.expect(x).to.not.exist"),
    ("import { equal } from 'assert'", "equal(x, y)", None),
    ("import assert from './own-assert'", "assert.ok(x)", None),
    ("import assert = require('./own-assert')", "assert.ok(x)", None),
]


def test_assertions_are_known_by_where_they_come_from(mutate_each: MutateEach) -> None:
    bodies = [f"{head}\nit('a', () => {{\n{expectation}\n}})\n" for head, expectation, _ in KNOWN]
    got = mutate_each({f"{n}.test.ts": f"{body}// of 'mocha'\n" for n, body in enumerate(bodies)})
    for found, (_, _, mutated) in zip(got.values(), KNOWN, strict=True):
        assert found == ([Mutant("sense", mutated)] if mutated else [])


def test_a_title_that_might_be_another_tests_is_left_out(mutate: Mutate) -> None:
    body = (
        "import { expect, test } from 'vitest'\n"
        "test.each([1, 2])('%i works', () => { expect(y).toBeTruthy() })\n"
        "test('all works', () => { expect(x).toBeTruthy() })\n"
    )
    assert mutate(body) == ["test('all works', () => { expect(x).not.toBeTruthy() })"]


def test_a_parent_and_its_subtests_are_left_out(mutate: Mutate) -> None:
    body = (
        "import assert from 'node:assert'\nimport test from 'node:test'\n"
        "test('parent', async (t) => {\n"
        "  await t.test('child', () => { assert.equal(1, 1) })\n  assert.equal(1, 1)\n})\n"
        "test('alone', () => { assert.equal(1, 1) })\n"
    )
    assert mutate(body) == [
        "test('alone', () => { assert.equal(1, OTHER) })",
        "test('alone', () => { assert.notEqual(1, 1) })",
    ]


def test_only_what_counts_after_done_is_mutated(mutate: Mutate) -> None:
    body = (
        "import { test, expect } from '@jest/globals'\ntest('a', (done) => {\n"
        "  expect(1).toBe(1)\n  setTimeout(done)\n  expect(2).toBe(2)\n})\n"
    )
    assert mutate(body) == ["expect(1).toBe(OTHER)", "expect(1).not.toBe(1)"]


def expecting(body: str) -> str:
    return f"import {{ expect, test }} from 'vitest'\ntest('a', async () => {{\n{body}\n}})\n"


LITERALS = {
    "1": "OTHER", "-3": "-OTHER", "10_000": "OTHER", "1.95": "OTHER", "0.5": "OTHER",
    "true": "OTHER", "'item 9'": "'OTHER'", '"shut"': '"OTHER"', "`open`": "`OTHER`",
    '"can\'t"': '"OTHER"', "null": "OTHER", "undefined": "OTHER", "[]": "OTHER",
    "{}": "OTHER", "'string'": "'OTHER'",
    "''": "'OTHER'", "0x10": None, "`two\nlines`": None, "x": None,
    "{ a: 1, ...x }": None, "{ a: 1, a: 2 }": None,
    "expect.objectContaining({ a: 1 })": "expect.objectContaining({ a: OTHER })",
    "expect.any(String)": "expect.any(OTHER)", "expect.stringContaining('one')": None,
    "expect.not.stringContaining('Welcome')": None,
}  # fmt: skip


def test_a_literal_becomes_another_of_its_kind(mutate_each: MutateEach) -> None:
    names = {f"{number}.test.ts": literal for number, literal in enumerate(LITERALS)}
    got = mutate_each({n: expecting(f"expect(f()).toEqual({text})") for n, text in names.items()})
    for name, literal in names.items():
        after = LITERALS[literal]
        values = [line for kind, line in got[name] if kind == "value"]
        assert values == ([f"expect(f()).toEqual({after})"] if after else [])


def test_every_other_value_is_expected_before_any_opposite(mutate_each: MutateEach) -> None:
    got = mutate_each({f"{n}.test.ts": expecting(line) for n, line in enumerate(written.VALUES)})
    for found, (line, mutated) in zip(got.values(), written.VALUES.items(), strict=True):
        kinds = [kind for kind, _ in found]
        assert kinds == sorted(kinds, reverse=True), line  # "value" before "sense"
        values = [line for kind, line in found if kind == "value"]
        assert values == mutated, line


CONSTANTS = {
    "": ["const NAME = 'OTHER'"],
    "f(NAME)": ["expect(f()).toBe('OTHER')"],
    "})\ntest('b', () => { expect(g()).not.toBe(NAME)": ["expect(f()).toBe('OTHER')"],
}


def test_a_constant_is_mutated_where_it_is_written_or_where_only_this_test_has_it(
    mutate_each: MutateEach,
) -> None:
    bodies = [f"expect(f()).toBe(NAME)\n{other_use}" for other_use in CONSTANTS]
    tests = [expecting(body) + "const NAME = 'Ada'\n" for body in bodies]
    got = mutate_each({f"{n}.test.ts": body for n, body in enumerate(tests)})
    for found, mutated in zip(got.values(), CONSTANTS.values(), strict=True):
        assert [line for kind, line in found if kind == "value"] == mutated


def mutations_in(
    body: str, make_sample: MakeSample, harness: Harness, folder: Path
) -> list[Mutation]:
    head = "import { expect, test } from 'vitest'\n"
    sample = make_sample({"package.json": MANIFEST}, {"one.test.ts": head + body})
    return list(runner_of(sample, harness, folder).mutations())


def test_another_string_is_one_that_the_file_uses_for_the_same_thing(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    body = "const person = { name: 'Ada', kind: 'closed' }\n" + "".join(
        f"test('t{n}', () => {{ expect(x).toEqual({{ kind: 'open' }}) }})\n" for n in range(20)
    )
    found = mutations_in(body, make_sample, harness, tmp_path / "original")
    drawn = {m.replacement for m in found if m.kind == "value"}
    assert "'closed'" in drawn
    assert len(drawn) > 1


def test_rows_of_a_table_are_altered_one_by_one_and_titles_go_along(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    body = (
        "test.each([[1, 20], [3, 40]])('%i gives %i', (n, m) => { expect(f(n)).toBe(m) })\n"
        "for (const [a, b] of [['x', 'abc'], ['y', 'def']]) {\n"
        "  test(`${a} is ${b}`, () => { expect(f(a)).toBe(b) })\n}\n"
        "test.each([{ n: 5, m: 60 }])('case $n', ({ n, m }) => { expect(f(n)).toBe(m) })\n"
        "test.each`\n  n | m\n  ${8} | ${90}\n`"
        "('$n is $m', ({ n, m }) => { expect(f(n)).toBe(m) })\n"
        "test('gives 70', () => { expect(f(7)).toBe(70) })\n"
    )
    found = mutations_in(body, make_sample, harness, tmp_path / "original")
    values = [m for m in found if m.kind == "value"]
    titles = (
        "1 gives 20", "3 gives 40", "x is abc", "y is def", "case 5", "8 is 90", "gives 70",
    )  # fmt: skip
    ids = [f"tests/one.test.ts > {title}" for title in titles]
    matched = [[i for i in ids if re.fullmatch(m.tests, i)] for m in values]
    assert list(dict.fromkeys(i for [i] in matched)) == ids
    for mutation, [before] in zip(values, matched, strict=True):
        after = mutation.name_after(before)
        told = mutation.replacement.strip("'")
        assert after == before if "case" in before else after.endswith(f" {told}")


INPUTS = [
    "test.each([[1, 20]])('%i gives', (n, m) => { expect(f(n, m)).toBe(m) })",
    "test.each([[1, 20]])('%p gives', (n, m) => { expect(f(n)).toBe(m) })",
    "test.each([[1, 20], [1, 20]])('%i gives', (n, m) => { expect(f(n)).toBe(m) })",
    "test.each([[1, g()], [2, 3]])('%i gives', (n, m) => { expect(f(n)).toBe(m) })",
    "for (const [n, m] of [[1, 20]]) { let o = m; test(`${n}`, () => { expect(f(o)).toBe(m) }) }",
    "test('a', () => { for (const [n, m] of [[1, 20]]) expect(f(n, m)).toBe(m) })",
]


@pytest.mark.parametrize("body", INPUTS)
def test_a_column_that_is_an_input_too_is_left_alone(
    body: str, make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    found = mutations_in(body, make_sample, harness, tmp_path / "original")
    assert {m.kind for m in found} == {"sense"}


def test_a_size_beside_a_list_is_left_alone_where_there_is_something_else(mutate: Mutate) -> None:
    both = expecting("expect(f().length).toBe(2)\nexpect(f()).toEqual(['ab', 'cd'])")
    assert "expect(f().length).toBe(OTHER)" not in mutate(both)
    alone = expecting("expect(f(['ab', 'cd']).length).toBe(2)")
    assert "expect(f(['ab', 'cd']).length).toBe(OTHER)" in mutate(alone)


def test_tests_that_only_call_one_function_share_its_mutations(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    body = (
        "import { expect, test } from 'vitest'\n"
        "function check(x) { expect(x).toBeTruthy() }\n"
        "test('a', () => { check(1) })\n"
        "test('b', () => { check(2); expect(2).toBe(2) })\n"
        "test('c', () => { expect(3).toBe(3) })\n"
    )
    sample = make_sample({"package.json": MANIFEST}, {"one.test.ts": body})
    found = runner_of(sample, harness, tmp_path / "original").mutations()
    ids = [f"tests/one.test.ts > {name}" for name in "abc"]
    matched = {
        a.kind: [i[-1] for i in ids if re.fullmatch(a.tests, i)] for a in found[:2] + found[-1:]
    }
    assert matched == {"value": ["c"], "sense": ["a", "b"]}


def test_offsets_count_characters_after_the_byte_order_mark(mutate: Mutate) -> None:
    body = "\ufeff// 🎉 ünï\r\nimport { expect, test } from 'vitest'\r\n"
    body += "test('🎉', () => {\r\n  expect('🎉 🎉').not.toBe(1); expect(2).toBe(2)\r\n})\r\n"
    assert mutate(body) == [
        "expect('🎉 🎉').not.toBe(1); expect(2).toBe(OTHER)",
        "expect('🎉 🎉').toBe(1); expect(2).toBe(2)",
        "expect('🎉 🎉').not.toBe(1); expect(2).not.toBe(2)",
    ]


def test_a_file_that_does_not_parse_has_none(mutate: Mutate) -> None:
    assert (
        mutate("import { expect, test } from 'vitest'\ntest('a', () => { expect(1).toBe(1)\n") == []
    )


def test_a_project_with_its_own_tests_has_none(harness: Harness, tmp_path: Path) -> None:
    files: Files = {"package.json": MANIFEST, "a.test.js": "test('a', () => expect(1).toBe(1))\n"}
    assert TypeScriptTestRunner(write(tmp_path / "own", files), harness=harness).mutations() == ()


def test_a_parser_that_fails_is_our_fault(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    sample = make_sample({"package.json": MANIFEST}, {"a.test.js": "test('a', () => {})\n"})
    runner = runner_of(sample, harness, tmp_path / "original")
    runner.timeout = 0.01
    assert runner.limits == Limits(wall_seconds=0.01, cpu_seconds=1)
    with pytest.raises(HarnessFault, match="wall time"):
        runner.mutations()
