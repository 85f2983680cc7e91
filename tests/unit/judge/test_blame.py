"""A judgement that breaks off is the solution's failure only where the reference goes through."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.datasets import Sample, load_sample
from sdkbench.environments import Cache
from sdkbench.errors import (
    Cancelled,
    EnvironmentFault,
    InputError,
    MissingTool,
    NoRunner,
    PluginFault,
    SampleError,
    SandboxFault,
)
from sdkbench.judge import attempt, blame
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import choose
from sdkbench.test_harness import FCorrResult, Harness
from tests.support.projects import write

PASSED = FCorrResult(score=100, outcome=Outcome.PASSED)
FAILED = FCorrResult(score=0, outcome=Outcome.FAILED, error="1 test of 1 failed")
BUILT = FCorrResult(score=0, outcome=Outcome.NOT_EXECUTED)
Ending = FCorrResult | Exception
METADATA = '{"sample_id": "demo", "sdk": "demo", "task_type": 1}'


class Judged(NamedTuple):
    result: FCorrResult
    order: list[str]


Judge = Callable[..., Judged]


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    return Harness(choose("plain"), Cache(tmp_path / "cache"))


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    files = {"expected/metadata.json": METADATA, "expected/app.py": "", "tests/test_a.py": ""}
    return load_sample(write(tmp_path / "sample", files))


@pytest.fixture
def judge(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: Sample, harness: Harness
) -> Judge:
    """judge_attempt, where the pipeline ends as told: the solution's tries, then the reference's.

    Also who was judged, in which order.
    """

    def run(
        tries: Sequence[Ending], reference: Iterable[Ending] = (), *, with_sample: bool = True
    ) -> Judged:
        order: list[str] = []
        endings = {"solution": iter(tries), "reference": iter(reference)}

        def pipeline(subject: Subject, options: Options, used: Harness) -> FCorrResult:
            del options, used
            is_reference = subject.solution_dir == sample.reference_dir
            order.append("reference" if is_reference else "solution")
            ending = next(endings[order[-1]])
            if isinstance(ending, Exception):
                raise ending
            return ending

        monkeypatch.setattr(attempt, "judge", pipeline)
        monkeypatch.setattr(blame, "judge", pipeline)
        subject = Subject(tmp_path / "solution", sample if with_sample else None)
        return Judged(judge_attempt(subject, Options(), harness), order)

    return run


SURPRISES = [ValueError("9" * 5000), RecursionError("too deep"), OSError(36, "name too long")]


@pytest.mark.parametrize("surprise", SURPRISES, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("healthy", [PASSED, BUILT], ids=["passes", "builds"])
def test_what_only_the_solution_meets_is_its_failure(
    judge: Judge, surprise: Exception, healthy: FCorrResult
) -> None:
    result, order = judge([surprise, surprise], [healthy])
    assert (result.outcome, result.fault, result.score) == (Outcome.FAILED, Fault.INPUT, 0)
    assert order == ["solution", "reference", "solution"]
    assert type(surprise).__name__ in (result.error or "")
    assert "Traceback" in result.notes[0]
    assert len(result.error or "") < 2 * attempt.MAX_DESCRIBED


@pytest.mark.parametrize("other", [*SURPRISES, FAILED, SampleError("broken")], ids=repr)
def test_what_the_reference_does_not_go_through_either_is_an_error(
    judge: Judge, other: Ending
) -> None:
    result, _ = judge([ValueError("x"), ValueError("x")], [other])
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.HARNESS)


def test_without_a_reference_it_is_an_error(judge: Judge) -> None:
    result, order = judge([ValueError("x"), ValueError("x")], with_sample=False)
    assert (result.outcome, order) == (Outcome.ERROR, ["solution", "solution"])


@pytest.mark.parametrize("second", [PASSED, FAILED], ids=["passed", "failed"])
def test_what_is_met_once_does_not_count(judge: Judge, second: FCorrResult) -> None:
    result, _ = judge([SandboxFault("did not start"), second], [PASSED])
    assert result.outcome is second.outcome
    assert "tried twice" in result.notes[-1]


@pytest.mark.parametrize(
    ("fault", "blamed"),
    [
        (SandboxFault("did not end"), Fault.TEST),
        (PluginFault("raised while looking"), Fault.INPUT),
        (MissingTool("go was not found"), Fault.INPUT),
        (NoRunner("nobody knows it"), Fault.INPUT),
    ],
    ids=["sandbox", "plugin", "tool", "runner"],
)
def test_faults_that_a_solution_can_provoke_are_its_own(
    judge: Judge, fault: Exception, blamed: Fault
) -> None:
    result, _ = judge([fault, fault], [PASSED])
    assert (result.outcome, result.fault) == (Outcome.FAILED, blamed)
    result, order = judge([fault, fault], [fault])
    assert result.outcome is Outcome.ERROR
    # A tool that is missing stays so: nothing is tried again.
    assert len(order) == (3 if isinstance(fault, SandboxFault) else 2)


def test_a_broken_sample_is_never_the_solutions_fault(judge: Judge) -> None:
    result, order = judge([SampleError("the reference fails")])
    assert (result.outcome, result.fault, order) == (Outcome.ERROR, Fault.SAMPLE, ["solution"])


def test_a_folder_that_cannot_be_judged_needs_no_second_try(judge: Judge) -> None:
    result, order = judge([InputError("is empty")])
    assert (result.outcome, result.fault, order) == (Outcome.FAILED, Fault.INPUT, ["solution"])


@pytest.mark.parametrize("tries", [[Cancelled("stop")], [ValueError("x")]])
def test_a_cancellation_is_passed_on(judge: Judge, tries: list[Ending]) -> None:
    with pytest.raises(Cancelled):
        judge(tries, [Cancelled("stop")])


@pytest.mark.parametrize(("answers", "outcome"), [(True, "failed"), (False, "error")])
def test_a_registry_out_of_reach_is_nobodys_fault(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, answers: bool, outcome: str
) -> None:
    """The reference's packages are at hand: that it passes says nothing of the network."""
    monkeypatch.setattr(blame, "_has_what_it_takes", lambda *_: answers)
    fault = EnvironmentFault("the package registry was not reachable")
    result, _ = judge([fault, fault], [PASSED])
    assert result.outcome == outcome
    assert result.fault is (Fault.INSTALL if answers else Fault.NETWORK)


@pytest.mark.parametrize(("free", "outcome"), [(1 << 40, "failed"), (1 << 30, "error")])
def test_a_full_disk_is_the_solutions_fault_only_where_there_is_room(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, free: int, outcome: str
) -> None:
    monkeypatch.setattr(blame.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    full = OSError(28, "No space left on device")
    result, _ = judge([full, full], [PASSED])
    assert result.outcome == outcome


def test_a_result_can_always_be_printed_and_stored(judge: Judge) -> None:
    odd = FAILED.model_copy(
        update={"error": "half \ud800 a pair", "notes": ["\udcff"], "history": {"\udfff": ["a"]}}
    )
    result, _ = judge([odd])
    assert result.error == "half ? a pair"
    assert FCorrResult.model_validate(result.model_dump(round_trip=True)) == result
    assert result.model_dump_json().encode()
