"""A solution is never asked for a build that the sample's own reference does not show."""

from pathlib import Path

import pytest

from sdkbench.core import Integrity, Outcome, ScoreMode
from sdkbench.errors import SampleError
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.projects import Judge, MakeSample, write

APP = "def double(n):\n    return 2 * n\n"
IMPORT = "from expected.app import double\n\n\n"
TESTS = {"test_app.py": f"{IMPORT}def test_double():\n    assert double(2) == 4\n"}
OLD = "print 'written for another Python'\n"
LEVELS = [Integrity.CHECKED, Integrity.TWINNED, Integrity.APART]


@pytest.mark.parametrize("integrity", LEVELS)
def test_a_build_that_the_reference_fails_is_told_and_not_required(
    make_sample: MakeSample, harness: Harness, tmp_path: Path, integrity: Integrity
) -> None:
    sample = make_sample({"app.py": APP, "old.py": OLD}, TESTS)
    solution = write(tmp_path / "solution", {"app.py": APP, "older.py": OLD})
    options = Options(ScoreMode.WEIGHTED, integrity)
    result = judge_attempt(Subject(solution, sample), options, harness)
    assert (result.outcome, result.score, result.runtime_errors) == (Outcome.PASSED, 100.0, 0)
    assert result.assurance == integrity.value
    assert result.build_results
    assert (result.build_results.success, result.build_results.required) == (False, False)
    assert "older.py" in result.build_results.errors[0]
    assert result.error_messages == []
    assert any("no build is asked for" in note and "old.py" in note for note in result.notes)


def test_the_reference_of_such_a_sample_passes(make_sample: MakeSample, harness: Harness) -> None:
    sample = make_sample({"app.py": APP, "old.py": OLD}, TESTS)
    result = judge_attempt(Subject(sample.reference_dir, sample), Options(), harness)
    assert (result.outcome, result.score) == (Outcome.PASSED, 100.0)
    assert result.build_results
    assert not result.build_results.success


def test_a_wrong_solution_of_such_a_sample_fails_by_its_tests(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    sample = make_sample({"app.py": APP, "old.py": OLD}, TESTS)
    solution = write(tmp_path / "solution", {"app.py": APP.replace("2", "3")})
    result = judge_attempt(Subject(solution, sample), Options(), harness)
    assert (result.outcome, result.failed_tests) == (
        Outcome.FAILED,
        ["tests/test_app.py::test_double"],
    )


def test_where_the_reference_builds_a_solution_must(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    sample = make_sample({"app.py": APP}, TESTS)
    solution = write(tmp_path / "solution", {"app.py": APP, "old.py": OLD})
    result = judge_attempt(Subject(solution, sample), Options(), harness)
    assert (result.outcome, result.fault) == (Outcome.FAILED, "build")


def test_a_reference_that_passes_only_where_it_is_built_is_a_broken_sample(
    make_sample: MakeSample, harness: Harness
) -> None:
    broken = "from expected.old import nothing\n\n\ndef test_nothing():\n    pass\n"
    sample = make_sample({"app.py": APP, "old.py": OLD}, {"test_app.py": broken})
    with pytest.raises(SampleError, match=r"does not build: .*old.py"):
        _ = Reference(sample, harness, Options()).expectation


def test_without_a_build_asked_for_the_reference_is_not_built_either(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    sample = make_sample({"app.py": APP, "old.py": OLD}, TESTS)
    solution = write(tmp_path / "solution", {"app.py": APP, "old.py": OLD})
    result = judge_attempt(Subject(solution, sample), Options(run_build=False), harness)
    assert result.outcome == Outcome.PASSED
    assert not any("no build is asked for" in note for note in result.notes)


NODE_TEST = """import { test } from 'node:test'
import assert from 'node:assert'
import { double } from '../expected/app.mjs'
test('double', () => assert.equal(double(2), 4))
"""


@pytest.mark.parametrize("integrity", LEVELS)
def test_a_failing_build_script_of_the_reference_asks_nothing_of_others(
    make_sample: MakeSample, judge: Judge, integrity: Integrity
) -> None:
    files = {
        "app.mjs": "export const double = (n) => 2 * n\n",
        "package.json": '{"scripts": {"build": "echo no such thing; exit 3"}}',
    }
    sample = make_sample(files, {"app.test.mjs": NODE_TEST})
    result = judge(files, sample, integrity=integrity)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, integrity.value)
    assert result.build_results
    assert "no such thing" in result.build_results.errors[0]
    assert not result.build_results.required
