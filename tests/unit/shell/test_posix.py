"""The POSIX judge on labelled commands, with the real tools, in batches."""

import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.errors import HarnessFault
from sdkbench.shell.posix import (
    Edition,
    PosixOutcome,
    PosixReport,
    ToolOutput,
    check_posix,
    is_posix_compliant,
)
from sdkbench.shell.posix.plain import surely_plain
from tests.support.places import SHELL_DATA

DATA = SHELL_DATA / "posix.toml"


class Case(TypedDict):
    id: str
    command: str
    language: str
    language_2024: NotRequired[str]
    utilities: NotRequired[bool]
    utilities_2024: NotRequired[bool]


def run_tool(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
    """Stands in for the sandbox, which has tests of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        program = Path(sys.executable).parent / argv[0]
        try:
            done = subprocess.run(
                [program, *argv[1:]], cwd=folder, capture_output=True, timeout=20, check=False
            )
        except subprocess.TimeoutExpired:
            return ToolOutput(None, "", "", complete=False)
    return ToolOutput(done.returncode, done.stdout.decode(), done.stderr.decode())


CASES: list[Case] = tomllib.loads(DATA.read_text("utf-8"))["cases"]


@pytest.fixture(scope="module")
def reports() -> dict[Edition, list[PosixReport]]:
    commands = [case["command"] for case in CASES]
    return {edition: check_posix(commands, run=run_tool, edition=edition) for edition in Edition}


def test_every_case_has_its_outcome(reports: dict[Edition, list[PosixReport]]) -> None:
    wrong = []
    for at, case in enumerate(CASES):
        newer = case.get("language_2024", case["language"])
        for edition, wanted in (
            (Edition.POSIX_2017, case["language"]),
            (Edition.POSIX_2024, newer),
        ):
            report = reports[edition][at]
            if report.outcome != wanted:
                wrong.append((case["id"], edition, case["command"], report.outcome))
    assert not wrong


def test_every_utility_case_has_its_answer(reports: dict[Edition, list[PosixReport]]) -> None:
    wrong = []
    for at, case in enumerate(CASES):
        if "utilities" not in case:
            continue
        for edition, wanted in (
            (Edition.POSIX_2017, case["utilities"]),
            (Edition.POSIX_2024, case["utilities_2024"]),
        ):
            report = reports[edition][at]
            if (not report.utilities) is not wanted:
                wrong.append((case["id"], edition, case["command"], report.utilities))
    assert not wrong
    assert len(CASES) >= 100


def test_plain_commands_are_compliant(reports: dict[Edition, list[PosixReport]]) -> None:
    plain = [at for at, case in enumerate(CASES) if surely_plain(case["command"])]
    assert len(plain) > 20
    for edition in Edition:
        assert all(reports[edition][at].outcome is PosixOutcome.COMPLIANT for at in plain)


@pytest.mark.parametrize(
    "command",
    [
        "echo -n a",
        "cat < /dev/tcp/host/80",
        "ls $x",
        "ls {a,b}",
        "ls \\",
        "ls &> x",
        "ls a=1",
        "if",
    ],
)
def test_what_a_tool_may_object_to_is_not_plain(command: str) -> None:
    assert not surely_plain(command)


def test_language_and_utilities_are_apart() -> None:
    (report,) = check_posix(["ls --color"], run=run_tool)
    assert report.compliant
    assert not report.fully_compliant
    assert is_posix_compliant("ls --color", run=run_tool)


def test_a_comment_can_not_switch_the_judge_off() -> None:
    for comment in ("# shellcheck disable=all", "# shellcheck shell=bash", "#!/bin/bash"):
        assert not is_posix_compliant(f"{comment}\n[[ a ]]", run=run_tool)


def test_spans_point_into_the_command() -> None:
    command = "echo a\necho ${x^^}"
    (report,) = check_posix([command], run=run_tool)
    assert command[report.language[0].span.start :].startswith("${x^^}")


def test_each_tool_starts_once_for_many_commands() -> None:
    started: list[str] = []

    def counting(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
        started.append(argv[0])
        return run_tool(argv, files)

    check_posix(["ls", "[[ a ]]", "echo (", "a=(1)"] * 40, run=counting)
    assert sorted(started) == ["shellcheck", "shfmt", "shfmt"]


def test_one_bad_command_does_not_spoil_its_batch() -> None:
    def failing(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
        if argv[0] == "shellcheck" and any(b"poison" in content for content in files.values()):
            return ToolOutput(None, "", "", complete=False)
        return run_tool(argv, files)

    outcomes = [report.outcome for report in check_posix(["ls", "poison", "[[ a ]]"], run=failing)]
    assert outcomes == [
        PosixOutcome.COMPLIANT,
        PosixOutcome.UNJUDGED,
        PosixOutcome.NOT_POSIX,
    ]


@pytest.mark.parametrize("stdout", ["", "{", "[]", '{"comments": 3}', "not json"])
def test_garbage_from_a_tool_is_no_pass(stdout: str) -> None:
    def garbled(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
        return ToolOutput(0, stdout, "") if argv[0] == "shellcheck" else run_tool(argv, files)

    (report,) = check_posix(["ls"], run=garbled)
    assert report.outcome is PosixOutcome.UNJUDGED
    assert not report.compliant


def test_a_tool_that_rejects_its_options_is_our_fault() -> None:
    def outdated(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
        return ToolOutput(4, "", "bad option") if argv[0] == "shellcheck" else run_tool(argv, files)

    with pytest.raises(HarnessFault, match="bad option"):
        check_posix(["ls"], run=outdated)


def test_hostile_commands_get_an_outcome_in_bounded_time() -> None:
    started = time.perf_counter()
    commands = [
        "a" * 1_000_000, "$(" * 9_000, "echo " + "$((" * 40, "a\0b", "", "   ", "\ud800", "\r\n\r",
        "`" * 99, "((" * 200, "é🦀" * 50, "ls",
    ]  # fmt: skip
    outcomes = [report.outcome for report in check_posix(commands, run=run_tool)]
    assert outcomes[0] is PosixOutcome.UNJUDGED
    assert outcomes[3] is PosixOutcome.SYNTAX_ERROR
    assert outcomes[4] is PosixOutcome.SYNTAX_ERROR
    assert outcomes[-1] is PosixOutcome.COMPLIANT
    assert time.perf_counter() - started < 60


@settings(max_examples=8, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=30))
def test_any_texts_get_their_reports_in_order(commands: list[str]) -> None:
    reports = check_posix(commands, run=run_tool)
    assert [report.command for report in reports] == commands


def test_no_commands_start_no_tool() -> None:
    def never(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
        raise AssertionError((argv, files))

    assert check_posix([], run=never) == []


def test_tools_are_installed_beside_python() -> None:
    folder = str(Path(sys.executable).parent)
    assert shutil.which("shellcheck", path=folder)
    assert shutil.which("shfmt", path=folder)
