"""No solution gets out of its score: whatever it prints, declares or builds is no error of ours."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import Fault, Integrity, Outcome
from sdkbench.environments.installation import InstallerSigns
from sdkbench.errors import EnvironmentFault
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import Completed
from sdkbench.test_harness import FCorrResult, Harness, TestFailure
from sdkbench.test_harness.python import records
from sdkbench.test_harness.session import Failure
from tests.support.projects import Judge, MakeSample, write

RIGHT = "def double(x):\n    return 2 * x\n"
TESTS = {
    "test_double.py": "from expected import app\n\ndef test_it():\n    assert app.double(4) == 8\n"
}
STRANGE = "def double(x):\n    raise ValueError('our reader stumbles over this')\n"


@pytest.fixture
def stumbling(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Call it: a reader of ours raises from then on, for what tests say with these words in it."""
    real = records.to_failure

    def start(words: str) -> None:
        def read(record: Failure, name: str) -> TestFailure:
            if words in record.message:
                raise ValueError("Exceeds the limit (4300 digits)")
            return real(record, name)

        monkeypatch.setattr(records, "to_failure", read)

    return start


@pytest.mark.parametrize("integrity", Integrity)
def test_a_reader_that_stumbles_over_the_solution_only(
    make_sample: MakeSample, judge: Judge, stumbling: Callable[[str], None], integrity: Integrity
) -> None:
    stumbling("our reader stumbles")
    sample = make_sample({"app.py": RIGHT}, TESTS)
    result = judge({"app.py": STRANGE}, sample, integrity=integrity)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INPUT), result.error
    assert "4300 digits" in (result.error or "")
    assert "to_failure" in result.notes[0]  # the traceback
    assert judge({"app.py": RIGHT}, sample, integrity=integrity).outcome is Outcome.PASSED


def test_a_reader_that_stumbles_over_the_reference_too(
    make_sample: MakeSample, judge: Judge, stumbling: Callable[[str], None]
) -> None:
    sample = make_sample({"app.py": RIGHT}, TESTS)
    stumbling("")  # over every mutant that fails as it should
    result = judge({"app.py": STRANGE}, sample, integrity=Integrity.TWINNED)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.HARNESS)


def test_a_folder_without_a_reference_is_given_the_benefit_of_the_doubt(
    judge: Judge, stumbling: Callable[[str], None]
) -> None:
    stumbling("our reader stumbles")
    test = "import app\n\ndef test_it():\n    app.double(1)\n"
    result = judge({"app.py": STRANGE, "test_a.py": test})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.HARNESS)


def test_a_path_that_only_just_fits_the_system(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    sample = make_sample({"app.py": RIGHT}, TESTS)
    solution = write(tmp_path / "solution", {"app.py": RIGHT})
    folder = solution
    while len(str(folder)) < 3600:
        folder /= "d" * 250
    folder.mkdir(parents=True)
    (folder / "deep.py").touch()
    result = judge_attempt(Subject(solution, sample), Options(), harness)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INPUT)


def test_folders_nested_without_end(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    sample = make_sample({"app.py": RIGHT}, TESTS)
    solution = write(tmp_path / "solution", {"app.py": RIGHT})
    folders = [solution / "d"]
    while len(folders) < 1500:
        folders.append(folders[-1] / "d")
    for folder in folders:
        folder.mkdir()
    result = judge_attempt(Subject(solution, sample), Options(), harness)
    for folder in reversed(folders):
        folder.rmdir()
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INPUT)


MANIFESTS = {
    "number": {"Pipfile": f"limit = {'9' * 5000}\n[packages]\n"},
    "include": {"requirements.txt": f"-r {'a' * 300}.txt\n-c {'b/' * 3000}c.txt\n"},
    "nesting": {"pyproject.toml": f"a = {'[' * 5000}{']' * 5000}\n"},
    "dotted": {"pyproject.toml": f"{'a.' * 5000}a = 1\n[tool]\npoetry = 1\n"},
    "includes": {
        "requirements.txt": "-r r0.txt\n",
        **{f"r{n}.txt": f"-r r{n + 1}.txt\n" for n in range(1500)},
    },
}


@pytest.mark.parametrize("kind", MANIFESTS)
def test_manifests_beyond_measure(make_sample: MakeSample, judge: Judge, kind: str) -> None:
    sample = make_sample({"app.py": RIGHT}, TESTS)
    result = judge({"app.py": RIGHT, **MANIFESTS[kind]}, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INSTALL), result.error


def test_texts_that_can_be_neither_stored_nor_shown(make_sample: MakeSample, judge: Judge) -> None:
    sample = make_sample({"app.py": RIGHT}, TESTS)
    odd = "def double(x):\n    raise ValueError('\\ud800\\x00\\x1b[2J' + 'long ' * 1_200_000)\n"
    result = judge({"app.py": odd}, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST), result.error
    assert FCorrResult.model_validate_json(result.model_dump_json(round_trip=True)) == result


NOWHERE = {"requirements.txt": "no-such-package-of-this-name-94\n"}


def test_a_registry_that_is_gone_is_not_the_solutions_fault(
    make_sample: MakeSample, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = make_sample({"app.py": RIGHT}, TESTS)
    assert judge({"app.py": RIGHT}, sample).outcome is Outcome.PASSED  # the packages are at hand
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    result = judge({"app.py": RIGHT, **NOWHERE}, sample)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.NETWORK), result.error


def test_an_installation_that_only_looks_like_a_broken_network_is_the_solutions_fault(
    make_sample: MakeSample, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken_for_the_network(self: object, done: Completed, verb: str) -> EnvironmentFault:
        del self, verb
        return EnvironmentFault(f"The package registry was not reachable: {done.output}")

    monkeypatch.setattr(InstallerSigns, "explain", taken_for_the_network)
    sample = make_sample({"app.py": RIGHT}, TESTS)
    result = judge({"app.py": RIGHT, **NOWHERE}, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INSTALL), result.error
