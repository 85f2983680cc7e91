"""What a person sees of judged folders when it is over: a table, details, a summary."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import STYLES, harmless, plain_table
from sdkbench.core import Outcome
from sdkbench.report import Summary, summarise
from sdkbench.test_harness import FCorrResult

REASON_LINES = 3  # in the table; --verbose and --json have it whole


def show_results(
    out: Console, rows: Sequence[tuple[str, FCorrResult]], seconds: float, *, verbose: bool
) -> None:
    results = [result for _, result in rows]
    out.print(results_table(rows))
    if verbose:
        for result in results:
            out.print(_details(result), soft_wrap=True)
    out.print(_closing(summarise(results), results, seconds))
    # Tests that were left out are named, whatever else is shown.
    by_sample = {r.sample_id: r.excluded_tests for r in results if r.excluded_tests}
    for sample, names in by_sample.items():
        out.print(
            f"{sample}: left out, because the reference does not always pass: "
            f"{harmless(', '.join(names))}",
            style="yellow",
        )


def results_table(rows: Sequence[tuple[str, FCorrResult]]) -> Table:
    """A row for each result, with what it is a result of."""
    table = plain_table()
    table.add_column("sample", overflow="fold")
    table.add_column("outcome", no_wrap=True)
    for figure in ("score", "tests", "seconds"):
        table.add_column(figure, justify="right", no_wrap=True)
    table.add_column("reason", overflow="fold", ratio=1)
    for name, result in rows:
        tests = f"{result.tests_passed}/{result.tests_total}"
        tests += f" ({result.tests_skipped} skipped)" if result.tests_skipped else ""
        table.add_row(
            Text(harmless(name)),
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
    parts += [f"  {name}: {' '.join(runs)}" for name, runs in result.history.items()]
    parts += [f"  {finding.name}: {finding.message}" for finding in result.findings]
    parts += [
        f"  build: {e}" for e in (result.build_results.errors if result.build_results else [])
    ]
    tested = result.test_results
    for failure in tested.failures if tested else []:
        where = f" at {failure.file_path}:{failure.line_number}" if failure.file_path else ""
        parts.append(f"\n  FAILED {failure.test_name}{where}\n{failure.stack_trace or ''}")
        if failure.output:
            parts.append(failure.output)
    if tested and tested.output and not tested.failures and result.outcome != Outcome.PASSED:
        parts.append(f"\n  the run said:\n{tested.output}")  # a traceback of the boot program, say
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
