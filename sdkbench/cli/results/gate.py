"""`sdkbench gate RUN`: exit 1, with the list, where a run is not what was asked for."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from sdkbench.cli.console import harmless, stdout_console
from sdkbench.cli.options import FailUnderOption, JsonOption, StoreOption
from sdkbench.cli.output_file import new_file
from sdkbench.cli.results.compare import show_comparison
from sdkbench.errors import GateNotMet, InputError
from sdkbench.metrics.thresholds import parse_thresholds
from sdkbench.report import (
    GateReport,
    GateRequest,
    RunSource,
    gate_markdown,
    gate_run,
    json_text,
    junit_xml,
    open_sources,
    sarif_json,
)
from sdkbench.store import Attempt

MOST_DETAILS = 10  # of one check; --verbose and --json have them all

RunOrFileArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="A run's id, the beginning of one, `latest`, or a file of `export`."
    ),
]
BaselineOption = Annotated[
    str | None, typer.Option(metavar="RUN|FILE", help="What it must not be worse than.")
]
RegressionsOption = Annotated[
    int | None,
    typer.Option(min=0, help="With --baseline: so many samples may regress. Default: 0."),
]
MissingOption = Annotated[
    int | None,
    typer.Option(min=0, help="With --baseline: so many of its samples may lack. Default: 0."),
]
ErrorsOption = Annotated[int, typer.Option(min=0, help="So many attempts may have no verdict.")]
UnfinishedOption = Annotated[
    bool, typer.Option("--allow-unfinished", help="A run that is under way or was stopped will do.")
]
ModelOption = Annotated[str | None, typer.Option(help="Only this model.")]
AgainstOption = Annotated[
    str | None, typer.Option(help="The baseline's model, where it has another name.")
]
JunitOption = Annotated[Path | None, typer.Option(help="Write the attempts as JUnit XML.")]
MarkdownOption = Annotated[Path | None, typer.Option(help="Write a summary in Markdown.")]
SarifOption = Annotated[
    Path | None, typer.Option(help="Write safety and integrity findings as SARIF 2.1.0.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Name every sample of what is not met.")
]


def gate(
    run: RunOrFileArgument,
    fail_under: FailUnderOption = None,
    baseline: BaselineOption = None,
    max_regressions: RegressionsOption = None,
    max_missing: MissingOption = None,
    max_errors: ErrorsOption = 0,
    allow_unfinished: UnfinishedOption = False,
    model: ModelOption = None,
    against: AgainstOption = None,
    junit: JunitOption = None,
    markdown: MarkdownOption = None,
    sarif: SarifOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    verbose: VerboseOption = False,
    json_output: JsonOption = False,
) -> None:
    """Whether RUN is whole, reaches its thresholds, and is no worse than a baseline."""
    wanted = {
        "--max-regressions": max_regressions,
        "--max-missing": max_missing,
        "--against": against,
    }
    for flag, value in wanted.items():
        if value is not None and baseline is None:
            raise InputError(f"{flag} goes with --baseline.")
    if against is not None and model is None:
        raise InputError("--against goes with --model.")
    _require_writable((junit, markdown, sarif), force=force)
    request = GateRequest(
        parse_thresholds(fail_under),
        max_regressions or 0,
        max_errors,
        max_missing or 0,
        allow_unfinished,
        model,
        against,
    )
    with open_sources([run, *([baseline] if baseline else [])], store) as (source, *before):
        report = gate_run(source, request, before[0] if before else None)
        _write(report, source, model, junit, markdown, sarif, force=force)
    if json_output:
        typer.echo(json_text(report))
    else:
        show_gate(stdout_console(), report, verbose=verbose)
    if not report.met:
        count = len(report.unmet)
        raise GateNotMet(f"{count} of {len(report.checks)} checks not met, see above.")


def _write(
    report: GateReport,
    source: RunSource,
    model: str | None,
    junit: Path | None,
    markdown: Path | None,
    sarif: Path | None,
    *,
    force: bool,
) -> None:
    """Before anything is said of the gate: a job that fails has its files."""

    def attempts() -> Iterator[Attempt]:
        return (each for each in source.attempts() if model is None or each.model == model)

    if junit is not None:
        _write_file(junit, junit_xml(report.run_id, attempts(), report.checks), force=force)
    if markdown is not None:
        _write_file(markdown, gate_markdown(report), force=force)
    if sarif is not None:
        _write_file(sarif, sarif_json(report.run_id, attempts()), force=force)


def _require_writable(paths: Iterable[Path | None], *, force: bool) -> None:
    """Before the work is done: InputError where a file couldn't be written after it."""
    named: set[Path] = set()
    for path in paths:
        if path is None:
            continue
        if path.absolute() in named:
            raise InputError(f"{path} was named for two outputs. Name two files.")
        named.add(path.absolute())
        if path.is_dir() or ((path.exists() or path.is_symlink()) and not force):
            advice = "" if path.is_dir() else ", or replace it with --force"
            raise InputError(f"{path} exists already. Name a new file{advice}.")
        if not path.parent.is_dir():
            raise InputError(f"{path} can't be written: there is no such folder.")


def _write_file(path: Path, content: str | bytes, *, force: bool) -> None:
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with new_file(path, force=force) as unfinished:
        unfinished.write_bytes(data)


def show_gate(out: Console, report: GateReport, *, verbose: bool) -> None:
    if report.comparison is not None:
        show_comparison(out, report.comparison, verbose=verbose)
        out.print()
    for check in report.checks:
        mark = Text("met      ", "green") if check.met else Text("not met  ", "red")
        out.print(mark.append(harmless(check.message), style="default"), soft_wrap=True)
        if check.met:
            continue
        shown = check.details if verbose else check.details[:MOST_DETAILS]
        for detail in shown:
            out.print(harmless(f"           {detail}"), soft_wrap=True)
        if len(shown) < len(check.details):
            out.print(f"           … and {len(check.details) - len(shown)} more: see --verbose.")
