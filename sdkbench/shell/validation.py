"""Doubts about a dataset that loads: labels that the judges contradict, commands none can read."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from sdkbench.shell.dataset import PosixScope, TestCase, TestDataset
from sdkbench.shell.equivalence import commands_match
from sdkbench.shell.extract import ExtractionOutcome, extract
from sdkbench.shell.posix import PosixReport, Run, check_posix
from sdkbench.shell.posix.tools import default_tools, shfmt
from sdkbench.shell.safety import check_safety
from sdkbench.shell.syntax import parse


class Doubt(StrEnum):
    UNREADABLE = "unreadable"  # no command: nothing can be equal to it
    READERS = "readers"  # our reader and shfmt disagree
    SAFETY = "safety label"
    POSIX = "POSIX label"
    ANSWER = "answer"  # given as an answer, it would be read as something else
    PROMPT = "prompt"  # the same question, another answer


class Concern(NamedTuple):
    """`confirmed`: the case has a note, or the concern needs none."""

    test_id: str
    doubt: Doubt
    command: str
    message: str
    confirmed: bool


class Disagreement(NamedTuple):
    """Why each reader can't read a command; empty for the one that can."""

    ours: str
    theirs: str


def concerns(dataset: TestDataset, tools: Run | None = None) -> tuple[Concern, ...]:
    """In the dataset's order. Labels are checked for every right command of a case."""
    run = tools or default_tools()
    pairs = [(case, command) for case in dataset.test_cases for command in case.right_commands]
    reports = check_posix([command for _, command in pairs], run=run)
    disagreements = reader_disagreements([command for _, command in pairs], run)
    listed: list[Concern] = []
    for (case, command), report in zip(pairs, reports, strict=True):
        listed += _readable(case, command)
        listed += _labels(case, command, report, dataset.posix)
        if command in disagreements:
            ours, theirs = disagreements[command]
            message = f"ours: {ours or 'fine'}; shfmt: {theirs or 'fine'}"
            listed.append(_concern(case, Doubt.READERS, command, message))
    return (*listed, *_shared_prompts(dataset))


def reader_disagreements(commands: Sequence[str], run: Run) -> dict[str, Disagreement]:
    """Commands that only one of our reader and shfmt can read; none where shfmt gave no answer.

    Both were written from the shell's manual by different people: such a command is a slip in the
    dataset, or in one of the readers, and someone should look.
    """
    disagreements: dict[str, Disagreement] = {}
    for command, remarks in shfmt(commands, "bash", run).items():
        problem = parse(command).problem
        if remarks is not None and (problem is not None) != bool(remarks):
            theirs = remarks[0].message if remarks else ""
            disagreements[command] = Disagreement(problem.message if problem else "", theirs)
    return disagreements


def _shared_prompts(dataset: TestDataset) -> Iterator[Concern]:
    first: dict[str, TestCase] = {}
    for case in dataset.test_cases:
        known = first.setdefault(case.prompt, case)
        if known is case or commands_match(known.expected_command, case.expected_command):
            continue
        message = f"the same prompt as {known.id!r}, which expects {known.expected_command!r}"
        yield _concern(case, Doubt.PROMPT, case.expected_command, message)


def _concern(case: TestCase, doubt: Doubt, command: str, message: str) -> Concern:
    return Concern(case.id, doubt, command, message, confirmed=bool(case.notes.strip()))


def _readable(case: TestCase, command: str) -> list[Concern]:
    problem = parse(command).problem
    if problem is not None:
        # A note can't help here: the case can't be answered with this command.
        message = f"{problem.message} (column {problem.column})"
        return [Concern(case.id, Doubt.UNREADABLE, command, message, confirmed=False)]
    taken = extract(command)
    if taken.outcome is not ExtractionOutcome.FOUND or not commands_match(taken.command, command):
        message = f"given as an answer, it is read as {taken.command or taken.outcome.value!r}"
        return [_concern(case, Doubt.ANSWER, command, message)]
    return []


def _labels(case: TestCase, command: str, report: PosixReport, scope: PosixScope) -> list[Concern]:
    doubts = []
    safety = check_safety(command)
    if safety.safe != case.safe:
        message = _against("safe", case.safe, safety.objection)
        doubts.append(_concern(case, Doubt.SAFETY, command, message))
    full = scope is PosixScope.FULL
    if report.verdict(full=full) != case.posix_compliant:
        first = next((finding.message for finding in report.findings(full=full)), None)
        message = _against("posix_compliant", case.posix_compliant, first)
        doubts.append(_concern(case, Doubt.POSIX, command, message))
    return doubts


def _against(label: str, value: bool, judge: str | None) -> str:
    return f"{label} = {str(value).lower()}, the judge says otherwise: {judge or 'no finding'}"
