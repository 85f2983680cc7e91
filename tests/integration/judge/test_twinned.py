"""Verdicts with twins, on small samples: honest code passes, and says how sure it is."""

import random

import pytest

from sdkbench.core import Assurance, Fault, Integrity, Outcome
from sdkbench.errors import SandboxFault
from sdkbench.judge import twinned
from sdkbench.judge.attempt import judge_repeatedly
from sdkbench.judge.mutants import Mutants, MutantSuite
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from sdkbench.test_harness.mutations import Mutation
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


TABLE = (
    "import pytest\nfrom expected import app\n"
    "@pytest.mark.parametrize(('n', 'twice'), [(2, 4), (30, 60)])\n"
    "def test_double(n, twice): assert app.double(n) == twice\n"
)
FRAMES = "import sys\ndef double(x): return sys._getframe(1).f_locals['twice']\n"
IDS = (
    "import os, re\n"
    "def double(x): return int(re.search(r'-(\\d+)]', os.environ['PYTEST_CURRENT_TEST'])[1])\n"
)


@pytest.mark.parametrize(
    ("app", "outcome"),
    [(APP, Outcome.PASSED), (FRAMES, Outcome.INVALID), (IDS, Outcome.INVALID)],
    ids=["honest", "from frames", "from ids"],
)
def test_code_that_echoes_what_a_row_expects_is_found(
    app: str, outcome: Outcome, judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(tests={"test_app.py": TABLE}, reference={"app.py": APP})
    result = judge({"app.py": app}, sample, integrity=Integrity.TWINNED)
    assert (result.outcome, result.assurance) == (outcome, Assurance.TWINNED), result.error


def test_after_a_fault_of_ours_no_mutants_are_dealt_to_who_saw_the_untouched_tests(
    judge: Judge, make_sample: MakeSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has seen them could tell mutants from them."""
    sample = make_sample(tests={"test_app.py": TESTS}, reference={"app.py": APP})
    judge({"app.py": APP}, sample, integrity=Integrity.TWINNED)
    dealt: list[int] = []
    suites = Mutants.suites

    def deal(mutants: Mutants, chance: random.Random) -> tuple[MutantSuite, ...]:
        dealt.append(1)
        return suites(mutants, chance)

    def broken(*_: object, **__: object) -> None:
        raise SandboxFault("the disk is gone")

    monkeypatch.setattr(Mutants, "suites", deal)
    monkeypatch.setattr(twinned, "run_untouched", broken)
    result = judge({"app.py": "double = None\n"}, sample, integrity=Integrity.TWINNED)
    assert result.outcome is Outcome.FAILED  # by the unchanged tests, tried once more
    assert len(dealt) == 2  # the second time to the reference: is the machine well?
    monkeypatch.setattr(twinned, "_attempt", lambda *_: (None, []))
    passing = judge({"app.py": APP}, sample, integrity=Integrity.TWINNED)
    assert (passing.outcome, passing.fault) == (Outcome.ERROR, Fault.SANDBOX)


def test_the_untouched_tests_look_like_those_of_every_suite(
    judge: Judge, make_sample: MakeSample
) -> None:
    """Code that finds by their age that tests are untouched is told nothing."""
    sample = make_sample(tests={"test_app.py": TESTS}, reference={"app.py": APP})
    aged = (
        "import os, sys\n"
        "def double(x): return os.stat(sys._getframe(1).f_code.co_filename).st_mtime\n"
    )
    result = judge({"app.py": aged}, sample, integrity=Integrity.TWINNED)
    assert result.outcome is Outcome.FAILED
    assert "assert 0.0 == 4" in (result.error or "")


def test_tests_that_are_named_otherwise_than_thought_keep_their_other_mutants(
    judge: Judge, make_sample: MakeSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mutation, "name_after", lambda _, test_id: f"{test_id} or so")
    sample = make_sample(tests={"test_app.py": TABLE + TESTS}, reference={"app.py": APP})
    result = judge({"app.py": APP}, sample, integrity=Integrity.TWINNED)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.CHECKED), result.error
