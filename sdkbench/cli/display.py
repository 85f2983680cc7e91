"""What a person sees of a run: a bar while it goes, a table when it is over."""

import time
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from sdkbench.cli.printable import harmless
from sdkbench.core import Outcome
from sdkbench.engine import Event, Finished, Planned, Started
from sdkbench.judge.subject import Subject
from sdkbench.report import Summary, summarise
from sdkbench.sandbox import Level, Sandbox
from sdkbench.test_harness import FCorrResult

STYLES = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "red",
    Outcome.INVALID: "magenta",
    Outcome.ERROR: "yellow",
    Outcome.NOT_EXECUTED: "dim",
}
PIPED_WIDTH = 150  # a file or a log has no width of its own
REASON_LINES = 3  # in the table; --verbose and --json have it whole


def warn_if_plain(console: Console, level: Level) -> None:
    if level is Level.PLAIN:
        console.print(
            "WARNING: no isolation (sandbox level plain): the judged code can read your files "
            "and use the network. `sdkbench doctor` tells how to get bubblewrap.",
            style="bold yellow",
        )


class Display:
    """Draws on stderr while running, on stdout the result; silent with `quiet`."""

    def __init__(self, sandbox: Sandbox, *, quiet: bool, verbose: bool) -> None:
        self.finished: list[FCorrResult] = []
        self._subjects: dict[int, Subject] = {}
        self._verbose = verbose
        self._quiet = quiet
        self._sandbox = sandbox
        self._err = Console(stderr=True, highlight=False)
        self._out = Console(highlight=False)
        if not self._out.is_terminal:
            self._out.width = PIPED_WIDTH
        self._running: dict[int, str] = {}
        self._counts: Counter[Outcome] = Counter()
        self._began = time.monotonic()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counts]}"),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[now]}"),
            console=self._err,
            transient=True,
            disable=quiet or not self._err.is_terminal,
        )
        self._task = self._progress.add_task("judging", total=None, counts="", now="")

    def __enter__(self) -> Self:
        warn_if_plain(self._err, self._sandbox.level)
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def on_event(self, event: Event) -> None:
        if isinstance(event, Planned):
            self._progress.update(self._task, total=event.total)
        elif isinstance(event, Started):
            self._subjects[event.number] = event.subject
            self._running[event.number] = _label(event.subject)
        elif isinstance(event, Finished):
            self._running.pop(event.number, None)
            self._counts[event.result.outcome] += 1
            self.finished.append(event.result)
            self._progress.advance(self._task)
            self._plain_line(event)
        counts = "  ".join(f"{n} {outcome}" for outcome, n in sorted(self._counts.items()))
        now = escape(", ".join(self._running.values()))
        self._progress.update(self._task, counts=counts, now=now)

    def interrupted(self) -> None:
        """After Ctrl-C: what had finished is shown, what had not is counted."""
        if self._quiet:
            return
        if self.finished:
            self._out.print(_table([(None, result) for result in self.finished]))
        self._err.print(
            f"Interrupted: {len(self.finished)} finished, {len(self._running)} stopped.",
            style="yellow",
        )

    def summary(self, results: Sequence[FCorrResult]) -> None:
        rows = [(self._subjects.get(index), result) for index, result in enumerate(results)]
        self._out.print(_table(rows))
        if self._verbose:
            for result in results:
                self._out.print(_details(result), soft_wrap=True)
        self._out.print(_closing(summarise(results), results, time.monotonic() - self._began))
        self._excluded(results)

    def _excluded(self, results: Sequence[FCorrResult]) -> None:
        """Tests that were left out are named, whatever else is shown."""
        by_sample = {r.sample_id: r.excluded_tests for r in results if r.excluded_tests}
        for sample, names in by_sample.items():
            self._out.print(
                f"{sample}: left out, because the reference does not always pass: "
                f"{harmless(', '.join(names))}",
                style="yellow",
                markup=False,
            )

    def _plain_line(self, event: Finished) -> None:
        """Without a terminal there is no bar: one line an attempt instead."""
        if not self._quiet and not self._err.is_terminal:
            result = event.result
            self._err.print(
                f"{len(self.finished)}: {_label(event.subject)} {result.outcome} "
                f"{result.score:g} ({result.duration:.1f} s)",
                markup=False,
            )


def _label(subject: Subject) -> str:
    if subject.sample is None:
        return subject.name
    kinds = {subject.sample.reference_dir: "reference", subject.sample.starter_dir: "starter"}
    kind = kinds.get(subject.solution_dir)
    return f"{subject.name} ({kind})" if kind else subject.name


def _table(rows: Sequence[tuple[Subject | None, FCorrResult]]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, expand=False)
    table.add_column("sample", overflow="fold")
    table.add_column("outcome", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("tests", justify="right", no_wrap=True)
    table.add_column("seconds", justify="right", no_wrap=True)
    table.add_column("reason", overflow="fold", ratio=1)
    for subject, result in rows:
        tests = f"{result.tests_passed}/{result.tests_total}"
        tests += f" ({result.tests_skipped} skipped)" if result.tests_skipped else ""
        table.add_row(
            Text(harmless(_label(subject) if subject else result.sample_id or "")),
            Text(result.outcome, style=STYLES[result.outcome]),
            f"{result.score:g}",
            tests,
            f"{result.duration:.1f}",
            Text(_shortened(result.error or "")),
        )
    return table


def _shortened(reason: str) -> str:
    lines = [line.rstrip() for line in harmless(reason).strip().splitlines()]
    if len(lines) > REASON_LINES:
        lines = [*lines[:REASON_LINES], "…"]
    return "\n".join(lines)


def _details(result: FCorrResult) -> Text:
    """Everything known of one attempt: stages, failures with traces, what they printed."""
    text = Text(f"\n{result.sample_id}: {result.outcome}", style="bold")
    parts = [f"\n  assurance: {result.assurance}"]
    if result.language:
        parts.append(f"  runner: {result.language} with {result.framework}")
    if result.sandbox:
        parts.append(f"  sandbox: {result.sandbox.level}")
        parts += [f"  limit not applied: {name}" for name in result.sandbox.unapplied]
    installed = result.install_results
    if installed and installed.environment_key:
        how = f"built in {installed.duration:.1f} s" if installed.built else "reused"
        parts.append(f"  environment: {installed.environment_key[:12]} ({how})")
        parts += [f"  added: {line}" for line in installed.completed_with]
    parts += [f"  note: {note}" for note in result.notes]
    parts += [f"  {name}: {' '.join(told)}" for name, told in result.history.items()]
    parts += [f"  {finding.name}: {finding.message}" for finding in result.findings]
    parts += [
        f"  build: {e}" for e in (result.build_results.errors if result.build_results else [])
    ]
    for failure in result.test_results.failures if result.test_results else []:
        where = f" at {failure.file_path}:{failure.line_number}" if failure.file_path else ""
        parts.append(f"\n  FAILED {failure.test_name}{where}\n{failure.stack_trace or ''}")
        if failure.output:
            parts.append(failure.output)
    return text.append(harmless("\n".join(parts)), style="not bold")


def _closing(summary: Summary, results: Sequence[FCorrResult], seconds: float) -> str:
    counts = ", ".join(
        f"{getattr(summary, name)} {name.replace('_', ' ')}"
        for name in ("passed", "failed", "invalid", "error", "not_executed")
        if getattr(summary, name) or name in {"passed", "failed"}
    )
    mean = "n/a" if summary.mean_score is None else f"{summary.mean_score:g}"
    figure = f"mean F-CORR {mean} over {summary.judged} judged of {summary.total} ({summary.mode})"
    lines = [f"\n{counts}; {figure}, {seconds:.1f} s"]
    if summary.environments_built:
        built, reused = summary.environments_built, summary.environments_reused
        lines.append(f"environments: {built} built, {reused} reused from the cache")
    elif summary.environments_reused:
        lines.append(
            f"environments: nothing installed, {summary.environments_reused} reused from the cache"
        )
    levels = sorted({r.sandbox.level for r in results if r.sandbox})
    assurances = sorted({r.assurance.value for r in results if r.sandbox})
    if levels:
        lines.append(f"sandbox: {', '.join(levels)}; assurance: {', '.join(assurances)}")
    return "\n".join(lines)
