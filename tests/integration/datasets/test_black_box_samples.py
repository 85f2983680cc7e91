"""The bundled black-box samples, and solutions that try to get out of their box."""

from pathlib import Path

import pytest

from sdkbench.core import Assurance, Fault, Integrity, Outcome
from sdkbench.datasets import CorpusEntry, load_corpus, load_sample
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.selftest import judge_entry
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import choose
from sdkbench.test_harness import Harness
from tests.support.nightly import mostly_nightly, of_the_day
from tests.support.places import CORPUS, ROOT
from tests.support.projects import Judge, MakeSample

SAMPLES = [ROOT / "samples" / name for name in ("typer/typer_ledger_001", "hono/hono_notes_001")]
ATTACKS = [e for e in load_corpus(CORPUS) if e.framework.startswith("black_box")]
# The daily one would talk past the relay; small samples of our own show the rest each day.
DAILY = {"black_box/prints_a_summary"}


def attack_name(attack: CorpusEntry) -> str:
    return f"{attack.framework}/{attack.name}"


def of_the_daily_attacks(attack: CorpusEntry) -> bool:
    return attack_name(attack) in DAILY


APP = "import sys\nfrom .double import double\nprint(double(int(sys.argv[1])))\n"
DOUBLE = "def double(n):\n    return 2 * n\n"
REFERENCE = {"__main__.py": APP, "double.py": DOUBLE}
TESTS = {
    "test_app.py": "import os, subprocess\n"
    "def test_two():\n"
    "    done = subprocess.run(['solution', '2'], capture_output=True, text=True)\n"
    "    assert done.stdout == '4\\n', done.stderr\n"
    "def test_the_solution_is_not_here():\n"
    "    assert os.listdir('expected') == []\n"
}
BOX = {"command": ["python", "-m", "expected"]}


@pytest.mark.parametrize("root", mostly_nightly(SAMPLES, of_the_day, name=lambda p: p.name))
def test_reference_passes_at_the_highest_level_and_starter_fails(
    root: Path, harness: Harness
) -> None:
    sample = load_sample(root)
    reference = judge_attempt(Subject(sample.reference_dir, sample), Options(), harness)
    assert (reference.outcome, reference.score, reference.error) == (Outcome.PASSED, 100, None)
    assert reference.assurance is Assurance.BLACK_BOX
    starter = judge_attempt(Subject(sample.starter_dir, sample), Options(), harness)
    assert (starter.outcome, starter.fault) == (Outcome.FAILED, Fault.TEST)


@pytest.mark.parametrize("attack", mostly_nightly(ATTACKS, of_the_daily_attacks, name=attack_name))
def test_an_attack_does_not_pass_and_is_not_our_fault(
    attack: CorpusEntry, harness: Harness
) -> None:
    result = judge_entry(attack, Options(timeout=120), harness)
    assert result.outcome in {Outcome.FAILED, Outcome.INVALID}, result.error
    assert (result.score, result.assurance) == (0, Assurance.BLACK_BOX)
    # It came as far as being called, or it would have shown nothing.
    assert result.fault in {Fault.TEST, Fault.TIMEOUT, Fault.RESOURCE_LIMIT}


def test_tests_and_solution_are_kept_apart(judge: Judge, make_sample: MakeSample) -> None:
    sample = make_sample(REFERENCE, TESTS, black_box=BOX)
    right = judge(REFERENCE, sample)
    assert (right.outcome, right.assurance) == (Outcome.PASSED, Assurance.BLACK_BOX), right.error
    wrong = judge({**REFERENCE, "double.py": "def double(n):\n    return n\n"}, sample)
    assert (wrong.outcome, wrong.fault, wrong.tests_passed) == (Outcome.FAILED, Fault.TEST, 1)


def test_a_solution_is_built_before_it_is_called(judge: Judge, make_sample: MakeSample) -> None:
    sample = make_sample(REFERENCE, TESTS, black_box=BOX)
    result = judge({**REFERENCE, "unused.py": "def broken(:\n"}, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert "unused.py" in (result.error or "")


def test_a_solution_has_an_environment_of_its_own(judge: Judge, make_sample: MakeSample) -> None:
    tests = {
        "test_app.py": "import subprocess\n"
        "def test_it():\n"
        "    done = subprocess.run(['solution', '2'], capture_output=True, text=True)\n"
        "    assert done.stdout == '4\\n', done.stderr\n"
        "    try: import six\n"
        "    except ImportError: return\n"
        "    raise AssertionError('what the solution asks for is not for the tests')\n"
    }
    sample = make_sample(REFERENCE, tests, black_box=BOX)
    app = "import six\n" + APP
    result = judge({**REFERENCE, "__main__.py": app, "requirements.txt": "six==1.17.0\n"}, sample)
    assert result.outcome is Outcome.PASSED, result.error


def test_the_language_is_the_references(judge: Judge, make_sample: MakeSample) -> None:
    sample = make_sample(REFERENCE, TESTS, black_box=BOX)
    misleading = {"package.json": "{}", "tsconfig.json": "{}", "a.test.ts": "", "test/x.js": ""}
    result = judge({**REFERENCE, **misleading}, sample)
    assert (result.outcome, result.language) == (Outcome.PASSED, "python"), result.error


def test_without_isolation_black_box_is_not_claimed(
    make_sample: MakeSample, harness: Harness
) -> None:
    plain = harness._replace(sandbox=choose("plain"))
    sample = make_sample(REFERENCE, TESTS, black_box=BOX)
    result = judge_attempt(Subject(sample.reference_dir, sample), Options(timeout=60), plain)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.CHECKED), result.error
    sample = make_sample(REFERENCE, TESTS, black_box={**BOX, "port": 8123})
    refused = judge_attempt(Subject(sample.reference_dir, sample), Options(timeout=60), plain)
    assert (refused.outcome, refused.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)


def test_without_the_reference_black_box_is_not_claimed(
    judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(REFERENCE, TESTS, black_box=BOX)
    result = judge(REFERENCE, sample, integrity=Integrity.OFF)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.PLAIN)
