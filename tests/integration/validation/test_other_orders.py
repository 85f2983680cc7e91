"""Every framework that can be told runs the same tests in another order."""

from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.nightly import mostly_nightly
from tests.support.projects import Files, MakeSample, write
from tests.support.toolchains import needs

NUMBERS = range(8)
PACKAGE = '{"name": "x", "type": "commonjs"}'


def javascript(head: str, word: str) -> Files:
    body = "".join(f"{word}('t{n}', () => {{ assert.equal(2, 2) }})\n" for n in NUMBERS)
    return {
        "package.json": PACKAGE,
        "src/app.js": "exports.x = 1\n",
        "tests/a.test.js": f"{head}\nconst assert = require('node:assert/strict')\n{body}",
    }


PROJECTS = {
    "pytest": {"test_a.py": "".join(f"def test_{n}(): assert True\n" for n in NUMBERS)},
    "mocha": javascript("const { it } = require('mocha')", "it"),
    "jest": javascript("const { test } = require('@jest/globals')", "test"),
    "vitest": {
        "package.json": '{"name": "x", "type": "module"}',
        "tests/a.test.js": "import { test, expect } from 'vitest'\n"
        + "".join(f"test('t{n}', () => {{ expect(2).toBe(2) }})\n" for n in NUMBERS),
    },
}


def order_of(subject: Subject, harness: Harness, seed: int | None) -> list[str]:
    told = harness._replace(shuffle_seed=seed, warm=None)
    result = judge_attempt(subject, Options(timeout=120), told)
    assert result.outcome is Outcome.PASSED, result.error
    assert result.test_results is not None
    return list(result.test_results.cases)


@pytest.mark.parametrize("framework", mostly_nightly(PROJECTS, {"pytest", "vitest"}.__contains__))
def test_tests_run_in_another_order(framework: str, harness: Harness, tmp_path: Path) -> None:
    subject = Subject(write(tmp_path / "project", PROJECTS[framework]))
    usual = order_of(subject, harness, None)
    assert len(usual) == len(NUMBERS)
    orders = [order_of(subject, harness, seed) for seed in (0, 1)]
    assert all(sorted(order) == sorted(usual) for order in orders)
    assert all(order != usual for order in orders)


@needs("java")
@pytest.mark.nightly
def test_methods_of_java_run_in_another_order(harness: Harness, make_sample: MakeSample) -> None:
    methods = "".join(f"  @Test void t{n}() {{ assertEquals(2, App.two()); }}\n" for n in NUMBERS)
    source = "package app;\npublic final class App { public static int two() { return 2; } }\n"
    pom = (
        "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId>"
        "<artifactId>x</artifactId><version>1</version></project>"
    )
    imports = (
        "import static org.junit.jupiter.api.Assertions.assertEquals;\n"
        "import org.junit.jupiter.api.Test;\n"
    )
    sample = make_sample(
        {"pom.xml": pom, "src/main/java/app/App.java": source},
        {"app/AppTest.java": f"package app;\n{imports}class AppTest {{\n{methods}}}\n"},
    )
    subject = Subject(sample.reference_dir, sample)
    usual = order_of(subject, harness, None)
    assert sorted(order_of(subject, harness, 1)) == sorted(usual)
    assert order_of(subject, harness, 1) != usual
