"""Verdicts with twins, on small samples: honest code passes, and says how sure it is."""

import pytest

from sdkbench.core import Assurance, Fault, Integrity, Outcome
from sdkbench.judge.attempt import judge_repeatedly
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.projects import Judge, MakeSample

APP = "def double(x): return 2 * x\n"
TESTS = (
    "from expected import app\n"
    "def test_two(): assert app.double(2) == 4\n"
    "def test_none(): assert app.double(0) == 0\n"
)


def test_honest_code_passes_twinned(judge: Judge, make_sample: MakeSample) -> None:
    sample = make_sample(tests={"test_app.py": TESTS}, reference={"app.py": APP})
    result = judge({"app.py": "double = lambda x: x + x\n"}, sample, integrity=Integrity.TWINNED)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.TWINNED)
    assert (result.tests_passed, result.tests_total) == (2, 2)


def test_wrong_code_fails_with_the_unchanged_tests_messages(
    judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(tests={"test_app.py": TESTS}, reference={"app.py": APP})
    result = judge({"app.py": "double = lambda x: 4\n"}, sample, integrity=Integrity.TWINNED)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert (result.tests_passed, result.tests_total) == (1, 2)
    assert "assert 4 == 0" in (result.error or "")


def test_a_test_without_an_expectation_keeps_the_verdict_at_checked(
    judge: Judge, make_sample: MakeSample
) -> None:
    tests = f"{TESTS}def test_runs(): app.double(1)\n"
    sample = make_sample(tests={"test_app.py": tests}, reference={"app.py": APP})
    result = judge({"app.py": APP}, sample, integrity=Integrity.TWINNED)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.CHECKED)
    assert result.tests_total == 3
    assert any("test_runs" in note for note in result.notes)


def test_tests_that_disturb_each_other_are_twinned_apart(
    judge: Judge, make_sample: MakeSample
) -> None:
    """The second test passes only if the first one came to its end."""
    tests = (
        "from expected import app\nseen = []\n"
        "def test_first():\n    assert app.double(2) == 4\n    seen.append(1)\n"
        "def test_second():\n    assert seen == [1]\n"
    )
    sample = make_sample(tests={"test_app.py": tests}, reference={"app.py": APP})
    result = judge({"app.py": APP}, sample, integrity=Integrity.TWINNED)
    assert result.outcome is Outcome.PASSED


@pytest.mark.parametrize("integrity", list(Integrity))
def test_every_level_says_its_assurance(
    integrity: Integrity, judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(tests={"test_app.py": TESTS}, reference={"app.py": APP})
    expected = {"off": "plain"}.get(integrity, integrity.value)
    assert judge({"app.py": APP}, sample, integrity=integrity).assurance == expected


FLAKY = (
    "from expected import app\nimport os, random\n"
    "def test_two(): assert app.double(2) == 4\n"
    "def test_weather(): assert random.SystemRandom().random() < 0.5\n"
)


def test_a_test_that_is_not_stable_on_the_reference_is_left_out_by_name(
    make_sample: MakeSample, harness: Harness
) -> None:
    sample = make_sample(tests={"test_app.py": FLAKY}, reference={"app.py": APP})
    options = Options(timeout=60, reference_runs=12)
    result = judge_repeatedly(Subject(sample.reference_dir, sample), options, harness, times=3)
    assert result.outcome is Outcome.PASSED
    assert result.excluded_tests == ["tests/test_app.py::test_weather"]
    assert result.tests_total == 1
    assert result.history == {"tests/test_app.py::test_two": ["passed"] * 3}


def test_a_solution_that_passes_now_and_then_fails_with_its_history(
    make_sample: MakeSample, harness: Harness, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sample = make_sample(tests={"test_app.py": TESTS}, reference={"app.py": APP})
    solution = tmp_path_factory.mktemp("moody")
    (solution / "app.py").write_text(
        "import random\nchance = random.SystemRandom()\n"
        "def double(x): return 2 * x + (x == 2 and chance.random() < 0.5)\n"
    )
    options = Options(timeout=60, reference_runs=2)
    result = judge_repeatedly(Subject(solution, sample), options, harness, times=12)
    assert result.outcome is Outcome.FAILED
    assert set(result.history["tests/test_app.py::test_two"]) == {"passed", "failed"}
    assert set(result.history["tests/test_app.py::test_none"]) == {"passed"}
    assert "of 12 runs" in (result.error or "")


def test_a_sample_whose_tests_have_nothing_to_mutate_is_judged_at_checked(
    judge: Judge, make_sample: MakeSample
) -> None:
    tests = "from expected import app\ndef test_runs(): app.double(1)\n"
    sample = make_sample(tests={"test_app.py": tests}, reference={"app.py": APP})
    result = judge({"app.py": APP}, sample, integrity=Integrity.TWINNED)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.CHECKED), result.error


KILLER = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"


@pytest.mark.parametrize(
    ("app", "outcome"),
    [(f"{KILLER}double = None\n", Outcome.FAILED), (KILLER + APP, Outcome.PASSED)],
    ids=["wrong", "right"],
)
def test_code_that_kills_its_parent_process_never_leads_to_an_error(
    app: str, outcome: Outcome, judge: Judge, make_sample: MakeSample
) -> None:
    """Never an error: those do not count against a solution, so nobody may earn one."""
    sample = make_sample(tests={"test_app.py": TESTS}, reference={"app.py": APP})
    result = judge({"app.py": app}, sample, integrity=Integrity.TWINNED)
    assert result.outcome is outcome, result.error
