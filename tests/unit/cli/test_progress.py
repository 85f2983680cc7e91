"""What is said of a run where no terminal is: a line an attempt, and how to go on."""

import time
from pathlib import Path

import pytest

from sdkbench.cli.progress import SHELL_LINE_EVERY, ProgressDisplay
from sdkbench.core import Outcome
from sdkbench.engine import Answered, Finished, Planned, Started
from sdkbench.environments import InstallBegan, InstallEnded
from sdkbench.sandbox import Level
from sdkbench.store import Suite
from tests.support.store.builder import attempt


def test_each_sample_has_a_line_and_the_end_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressDisplay(Level.BUBBLEWRAP, quiet=False)
    with progress:
        progress.on_event(Planned("mine", ("model-a",), {Suite.SDK: 3}, 2, 1))
        progress.on_event(Started("k", "model-a", "demo_001", "asking"))
        progress.on_event(Answered("k", "model-a", 1, 2, None))
        failed = attempt(1, outcome=Outcome.ERROR, score=0, fault="x", error="a\n\x1b[31m\nb")
        progress.on_event(Finished(failed, is_new=True))
    progress.interrupted("The same command")
    first, line, last = capsys.readouterr().err.splitlines()
    assert first == "run mine: 5 attempts, 2 of them done before (1 in other runs)"
    assert line.startswith("[3/5] demo_001 by model-a: error: a")
    assert "\x1b" not in line
    assert last == (
        "Stopped: 3 of 5 attempts are stored, 2 are left. The same command goes on with run mine."
    )
    assert (progress.outcomes[Outcome.ERROR], progress.faults["x"]) == (1, 1)


def test_before_anything_was_planned_there_is_nothing_to_go_on_with(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ProgressDisplay(Level.BUBBLEWRAP, quiet=False).interrupted("The same command")
    assert capsys.readouterr().err == "Stopped before the run began.\n"


def test_shell_cases_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressDisplay(Level.BUBBLEWRAP, quiet=False)
    for number in range(SHELL_LINE_EVERY + 1):
        progress.on_event(Finished(attempt(number, suite=Suite.SHELL), is_new=True))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"demo by model-a: {SHELL_LINE_EVERY} so far, {SHELL_LINE_EVERY} passed")


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressDisplay(Level.BUBBLEWRAP, quiet=True)
    with progress:
        progress.on_event(Planned("mine", (), {Suite.SDK: 1}))
        progress.on_event(Finished(attempt(1), is_new=True))
        progress.interrupted("The same command")
    assert capsys.readouterr() == ("", "")


def test_a_run_that_nobody_keeps_has_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressDisplay(quiet=False)
    with progress:
        progress.on_event(Planned("", ("",), {Suite.SDK: 2}))
        progress.on_event(Started("k", "", "demo_002 (reference)", "judging"))
        progress.on_event(Finished(attempt(1, sample="demo_001 (starter)", model=""), is_new=True))
    progress.interrupted()
    line, last = capsys.readouterr().err.splitlines()
    assert line == "[1/2] demo_001 (starter): passed"
    assert last == "Interrupted: 1 finished, 1 stopped."


def test_an_installation_is_told_when_it_begins_and_when_it_ends(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    progress = ProgressDisplay(quiet=False)
    with progress:
        progress.on_event(InstallBegan("k", "python", 14, tmp_path, 0, time.monotonic()))
        progress.on_event(InstallEnded("k", "python", 14, 23_000_000, 6.2))
        progress.on_event(InstallBegan("l", "node", None, tmp_path, None, time.monotonic()))
        progress.on_event(InstallEnded("l", "node", None, 0, 6.2))
    assert capsys.readouterr().err.splitlines() == [
        "preparing environment: python, 14 packages …",
        "environment ready: python, 14 packages, 23 MB, 6 s",
        "preparing environment: node …",
    ]
