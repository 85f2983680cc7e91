"""A project that is judged on its own tests: titles may be the same, frameworks may be unknown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome, Project
from sdkbench.errors import NoRunner
from sdkbench.judge.verdict import decide
from sdkbench.plugins import Registry
from sdkbench.test_harness import TestRunnerRegistry, TestStatus
from sdkbench.test_harness.evidence import Evidence, case_evidence, examined
from sdkbench.test_harness.models import Language, RunnerDetectionResult, TestFramework
from sdkbench.test_harness.recognition import Unsupported, recognised
from sdkbench.test_harness.registry import _check_runner
from sdkbench.test_harness.runner import BaseTestRunner
from tests.support.evidence_builder import completed, evidence, examination, report
from tests.support.evidence_builder import through_the_channel as sent
from tests.support.projects import ProjectFactory

CASE = {"kind": "case", "status": "passed", "expected_failure": False, "seconds": 0, "reason": ""}
FAILED = TestStatus.FAILED
Register = Callable[[str, RunnerDetectionResult], None]


def test_tests_of_one_title_are_numbered() -> None:
    run = evidence(report("a"), report("b"), report("a"), report("a", FAILED, message="no"))
    numbered = run.numbered()
    assert [r.id for r in numbered.reports] == ["a", "b", "a (2)", "a (3)"]
    assert numbered.collected == ("a", "b", "a (2)", "a (3)")
    assert [f.test_name for f in numbered.failures] == ["a (3)"]


def test_a_number_that_is_taken_is_passed_over() -> None:
    run = evidence(report("a"), report("a"), report("a (2)"), report("a (2)"))
    assert [r.id for r in run.numbered().reports] == ["a", "a (3)", "a (2)", "a (2) (2)"]


@pytest.mark.parametrize("own", [True, False])
def test_a_second_title_counts_in_a_project_and_is_refused_in_a_sample(
    project: ProjectFactory, *, own: bool
) -> None:
    root = project({"tests/a.test.js": ""})
    given = Project.of_folder(root)
    if not own:
        given = given.model_copy(update={"trusted": (given.solution,)})
    records = sent(
        [{"kind": "built", "errors": []}, CASE | {"id": "a"}, CASE | {"id": "a"},
         {"kind": "end", "status": 0}]
    )  # fmt: skip
    done = examined(given, completed(0), records, case_evidence, run_tests=True)
    verdict = decide(done, None, own_tests=own)
    assert verdict.outcome is (Outcome.PASSED if own else Outcome.INVALID)
    assert done.evidence
    assert done.evidence.summary().passed == 2


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (evidence(report("a"), report("a")), Outcome.FAILED),
        (evidence(report("a"), framework_exit=1), Outcome.FAILED),
        (evidence(report("a"), process=completed(1)), Outcome.FAILED),
        (evidence(report("a"), faults=("the channel overflowed",)), Outcome.INVALID),
    ],
    ids=["twice", "status", "exit code", "channel"],
)
def test_nothing_in_a_plain_project_is_called_tampering(run: Evidence, outcome: Outcome) -> None:
    verdict = decide(examination(run), None, own_tests=True)
    assert (verdict.outcome, verdict.fault) == (outcome, Fault.TEST)
    assert "tamper" not in str(verdict)


def test_where_no_tests_are_found_the_files_are_named() -> None:
    run = evidence().model_copy(update={"tried": ("test/a.js", "test/b.js")})
    reason = decide(examination(run), None, own_tests=True).reason
    assert reason == (
        "No tests were found, so nothing was shown. Looked into: test/a.js, test/b.js."
    )


def ava(confidence: float = 0.9) -> RunnerDetectionResult:
    sentence = Unsupported("ava", "package.json").sentence(["jest", "mocha"])
    found = recognised(
        Language.JAVASCRIPT, TestFramework("ava"), tests=["test.js"], unsupported=sentence
    )
    return found.model_copy(update={"confidence": confidence})


class Knows(BaseTestRunner):
    finding: RunnerDetectionResult

    def detect(self) -> RunnerDetectionResult:
        return self.finding


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Register:
    registry = Registry("sdkbench_unit_tests.none", _check_runner)
    monkeypatch.setattr(TestRunnerRegistry, "_registry", registry)

    def add(name: str, finding: RunnerDetectionResult) -> None:
        runner = type(name, (Knows,), {"name": name, "finding": finding})
        runner.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]
        registry.register(name, runner)

    return add


def test_a_framework_that_is_not_supported_is_named(registered: Register, tmp_path: Path) -> None:
    registered("typescript", ava())
    registered("python", RunnerDetectionResult(detected=True, confidence=0.1))
    for language in (None, "typescript"):
        with pytest.raises(NoRunner, match=r"written for ava, as package\.json says") as caught:
            TestRunnerRegistry.get_runner(tmp_path, language=language)
        assert "Supported here: jest, mocha." in str(caught.value)
        assert "plugin" in str(caught.value)
    assert not ava().detected


def test_a_surer_runner_of_another_language_is_taken(registered: Register, tmp_path: Path) -> None:
    registered("typescript", ava(0.3))
    registered("python", RunnerDetectionResult(detected=True, confidence=0.8))
    chosen = TestRunnerRegistry.get_runner(tmp_path)
    assert chosen is not None
    assert chosen.name == "python"


def test_a_plugin_that_runs_the_framework_is_taken(registered: Register, tmp_path: Path) -> None:
    registered("typescript", ava())
    claim = RunnerDetectionResult(detected=True, confidence=0.2, framework=TestFramework("ava"))
    registered("ava", claim)
    chosen = TestRunnerRegistry.get_runner(tmp_path)
    assert chosen is not None
    assert chosen.name == "ava"
