"""Several backends at once: who agrees, who is missing, and what an interruption leaves."""

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from sdkbench.backends import Answer, BackendFailure, BackendRegistry, FailureKind
from sdkbench.engine import Event, Finished, ShellEvaluations, evaluate_shell
from sdkbench.engine.models import load_shell_set
from sdkbench.errors import InputError
from sdkbench.report import shell_json, shell_report
from sdkbench.shell import EvaluationSettings
from tests.support.shell_builder import Scripted, always, failing

DATASET = """
version = 1
name = "two"
[[test_cases]]
id = "list"
prompt = "list"
expected_command = "ls -l"
category = "correctness"
safe = true
posix_compliant = true
[[test_cases]]
id = "show"
prompt = "show"
expected_command = "cat f"
category = "correctness"
safe = true
posix_compliant = true
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "two.toml"
    file.write_text(DATASET)
    return file


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> dict[str, Scripted]:
    """Backends by name for this test only."""
    known: dict[str, Scripted] = {}

    def opener(name: str) -> object:
        return lambda _target, _setting: known[name]

    real = BackendRegistry.opener
    monkeypatch.setattr(
        BackendRegistry, "opener", lambda name: opener(name) if name in known else real(name)
    )
    return known


def run(path: Path, *backends: str) -> ShellEvaluations:
    return evaluate_shell(load_shell_set(path, None), backends, EvaluationSettings(), unheard)


def unheard(_event: Event) -> None:
    pass


def test_agreement_and_divergence(path: Path, stubs: dict[str, Scripted]) -> None:
    stubs["lister"] = always("ls  -l")
    measured = run(path, "reference", "lister")
    report = shell_report(measured.evaluations)
    assert report.consistency is not None
    (pair,) = report.consistency.pairs
    assert (pair.agreement.count, pair.agreement.total) == (1, 2)
    (parted,) = report.consistency.divergences
    assert parted.test_id == "show"
    assert [(a.answer, a.passed) for a in parted.answers] == [("cat f", True), ("ls  -l", False)]
    assert stubs["lister"].closed
    assert json.loads(shell_json(report))["evaluations"][1]["backend"] == "scripted"


def test_an_unreachable_backend_is_skipped_and_named(
    path: Path, stubs: dict[str, Scripted]
) -> None:
    stubs["gone"] = failing(BackendFailure("Connection refused.", FailureKind.NETWORK))
    measured = run(path, "gone", "reference")
    assert measured.unreachable == {"gone": "Connection refused."}
    assert [e.backend for e in measured.evaluations] == ["reference"]
    report = shell_report(measured.evaluations, fail_under=90)
    assert report.gate is not None
    assert report.gate.met
    assert report.consistency is None


def test_a_backend_name_that_is_none_is_bad_input(path: Path) -> None:
    with pytest.raises(InputError, match="no backend"):
        run(path, "nonesuch")


def test_an_interruption_keeps_what_had_finished(path: Path, stubs: dict[str, Scripted]) -> None:
    async def reply(prompt: str) -> Answer:
        await asyncio.sleep(0 if prompt == "show" else 60)
        return Answer(text="cat f")

    stubs["slow"] = Scripted(reply)

    def on_event(event: Event) -> None:
        if isinstance(event, Finished):
            os.kill(os.getpid(), signal.SIGINT)

    shell_set = load_shell_set(path, None)
    measured = evaluate_shell(shell_set, ["slow", "reference"], EvaluationSettings(), on_event)
    assert measured.interrupted
    (evaluation,) = measured.evaluations
    assert [r.test_id for r in evaluation.results] == ["show"]
    assert (evaluation.complete, evaluation.not_run) == (False, 1)
    assert shell_report(measured.evaluations, complete=False).complete is False
