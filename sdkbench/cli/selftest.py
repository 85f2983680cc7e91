"""`sdkbench selftest`: can a solution forge its verdict on this machine?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import STYLES, plain_table, stdout_console, warm_sentence
from sdkbench.cli.options import JsonOption, SandboxOption, WarmOption, WorkersOption
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.core import Integrity, Outcome
from sdkbench.datasets import bundled_corpus, load_corpus
from sdkbench.engine import LocalJudge, SandboxLevel, judge_folders
from sdkbench.errors import Cancelled, ExitCode
from sdkbench.judge.selftest import Tried, judge_entry, tally
from sdkbench.judge.subject import Options, Subject
from sdkbench.report import json_text, selftest_report
from sdkbench.test_harness import FCorrResult, Harness
from sdkbench.test_harness.models import Language

FrameworkOption = Annotated[
    list[str] | None, typer.Option(help="Only the attacks on this framework; may be repeated.")
]
IntegrityOption = Annotated[
    Integrity, typer.Option(help="The level to try. Below twinned, attacks do get through.")
]
AttacksDirOption = Annotated[
    Path | None, typer.Option(help="Another corpus. Default: the bundled one.")
]
CompareStartsOption = Annotated[
    bool,
    typer.Option(
        "--compare-starts", help="Judge what can start warm cold too: the verdicts must agree."
    ),
]
TimeoutOption = Annotated[
    float, typer.Option(min=1, max=86400, help="Seconds that one run of the tests may take.")
]


def selftest(
    framework: FrameworkOption = None,
    integrity: IntegrityOption = Integrity.APART,
    attacks_dir: AttacksDirOption = None,
    workers: WorkersOption = None,
    timeout: TimeoutOption = 60.0,
    sandbox: SandboxOption = SandboxLevel.AUTO,
    warm: WarmOption = True,
    compare_starts: CompareStartsOption = False,
    json_output: JsonOption = False,
) -> int:
    """Judge the attack corpus and its honest controls: no attack may pass, every control must."""
    entries = load_corpus(attacks_dir or bundled_corpus(), tuple(framework or ()))
    by_folder = {entry.folder: entry for entry in entries}
    harness = Harness.default(sandbox, warm=bool(warm))
    cancellation = harness.sandbox.cancellation
    options = Options(integrity=integrity, timeout=timeout)
    progress = ProgressDisplay(harness.sandbox.level, quiet=json_output)
    harness.cache.watch = progress.on_event
    cold: dict[Path, FCorrResult] = {}

    def judge_both(subject: Subject) -> FCorrResult:
        entry = by_folder[subject.solution_dir]
        result = judge_entry(entry, options, harness)
        if compare_starts and result.language is Language.PYTHON:
            cold[entry.folder] = judge_entry(entry, options, harness._replace(warm=None))
        return result

    judge = LocalJudge(judge_both, workers, harness.close)
    subjects = [Subject(entry.folder, entry.sample) for entry in entries]
    try:
        with progress:
            results = judge_folders(subjects, judge, progress.on_event, cancellation)
    except Cancelled:
        progress.interrupted()
        return ExitCode.INTERRUPTED
    tried = [
        Tried(entry, result, cold.get(entry.folder))
        for entry, result in zip(entries, results, strict=True)
    ]
    if json_output:
        typer.echo(json_text(selftest_report(tried), indent=2))
    else:
        _show(tried)
        if harness.warm and (sentence := warm_sentence(harness.warm.counts)):
            typer.echo(sentence)
    return _exit_code(tried)


def _exit_code(tried: Sequence[Tried]) -> ExitCode:
    run = [one for one in tried if one.possible]
    # An attack that ends in an error has got out of its score. A control's error is the machine's.
    controls = [one for one in run if one.entry.kind != "attack"]
    if any(one.result.outcome is Outcome.ERROR for one in controls):
        return ExitCode.HARNESS_FAULT
    right = all(one.as_it_should_be and one.agrees for one in run)
    return ExitCode.OK if right else ExitCode.GATE_NOT_MET


def _show(tried: Sequence[Tried]) -> None:
    console = stdout_console()
    console.print(_rows(tried))
    console.print(_totals(tried))
    missing = [one for one in tried if not one.possible]
    for reason in sorted({one.result.error or "" for one in missing}):
        console.print(f"not run: {reason}")
    run = [one for one in tried if one.possible]
    attacks = [one for one in run if one.entry.kind == "attack"]
    forged = [one for one in attacks if one.result.outcome is Outcome.PASSED]
    honest = [one for one in run if one.entry.kind == "honest"]
    passed = sum(one.as_it_should_be for one in honest)
    escaped = sum(one.result.outcome is Outcome.ERROR for one in attacks)
    console.print(
        f"\n{len(forged)} of {len(attacks)} attacks passed, {escaped} ended in an error; "
        f"{passed} of {len(honest)} honest controls passed."
    )
    compared = [one for one in run if one.cold is not None]
    if compared:
        apart = [one.entry.name for one in compared if not one.agrees]
        names = f": not {', '.join(apart)}" if apart else ""
        same = len(compared) - len(apart)
        console.print(f"{same} of {len(compared)} verdicts are the same warm and cold{names}.")


def _rows(tried: Sequence[Tried]) -> Table:
    table = plain_table()
    for name in ("framework", "kind", "name", "outcome", "level", "found by"):
        table.add_column(name, no_wrap=True)
    table.add_column("what it tries", overflow="fold", ratio=1)
    for one in tried:
        entry, result, right = one.entry, one.result, one.as_it_should_be
        findings = result.findings[0].name if result.findings else (result.fault or "")
        outcome = Text(result.outcome, style=STYLES[result.outcome])
        shown = Text(entry.name, style="" if right else "bold red")
        words = (outcome, result.assurance or "", findings, Text(entry.about))
        table.add_row(entry.framework, entry.kind, shown, *words)
    return table


def _totals(tried: Sequence[Tried]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, title="", title_justify="left")
    table.add_column("framework", no_wrap=True)
    counts = ("attacks", "passed", "failed", "invalid", "in error", "wrong found", "honest passed")
    for name in counts:
        table.add_column(name, justify="right", no_wrap=True)
    for row in tally(tried):
        table.add_row(
            row.framework,
            str(row.attacks),
            Text(str(row.forged), style="bold red" if row.forged else "green"),
            str(row.failed),
            str(row.invalid),
            Text(str(row.escaped), style="bold red" if row.escaped else "green"),
            f"{row.wrong_found}/{row.wrong}",
            f"{row.honest_passed}/{row.honest}",
        )
    return table
