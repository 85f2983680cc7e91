"""`sdkbench report RUN…`: runs as one HTML file; and the report that a finished run leaves."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sdkbench.cli.console import harmless
from sdkbench.cli.options import SamplesDirOption, StoreOption
from sdkbench.cli.output_file import new_file
from sdkbench.errors import InputError
from sdkbench.store import Run, open_store

if TYPE_CHECKING:
    from sdkbench.store.reading import StoreReader

MANY = 1000  # attempts: their report takes some seconds, in which something should be said
RunsArgument = Annotated[
    list[str],
    typer.Argument(
        help="Run ids, beginnings of them, or `latest`; several are compared.", metavar="RUN…"
    ),
]
OutputOption = Annotated[Path, typer.Option("--output", "-o", help="The file to write.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]


def report(
    run: RunsArgument,
    output: OutputOption = Path("report.html"),
    force: ForceOption = False,
    samples_dir: SamplesDirOption = None,
    store: StoreOption = None,
) -> None:
    """One HTML file that needs no network: leaderboard, breakdowns, every attempt in full."""
    with open_store(store, write=False) as opened:
        runs = list({each.id: each for each in map(opened.find_run, run)}.values())
        counts = opened.outcome_counts()
        empty = [each.id for each in runs if each.id not in counts]
        if empty:
            raise InputError(
                f"Run {empty[0]} has no attempts yet: there is nothing to report. "
                "`sdkbench runs` tells how many each has."
            )
        _write(opened, runs, output, force=force, samples_dir=samples_dir)
    typer.echo(f"report: {output}", err=True)


def leave_report(store: "StoreReader", run: Run) -> None:
    """Beside the store, for whoever wants to look; that it can't be written is no fault of the
    run's, and only said.
    """
    attempts = store.outcome_counts().get(run.id, Counter()).total()
    if attempts > MANY:
        typer.echo(f"writing the report of {attempts:,} attempts …", err=True)
    try:
        path = store.reports_folder / f"{run.id}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(store, [run], path, force=True)
    except Exception as error:  # noqa: BLE001 - the run is done and stored, whatever this does
        typer.echo(f"WARNING: no report was written: {harmless(str(error))}", err=True)
    else:
        typer.echo(f"report: {path}", err=True)


def _write(
    store: "StoreReader",
    runs: Sequence[Run],
    output: Path,
    *,
    force: bool,
    samples_dir: Path | None = None,
) -> None:
    # Jinja2 and Pygments take a while to load: only those who want a report pay.
    from sdkbench.report.pages.html import write_report  # noqa: PLC0415

    with new_file(output, force=force) as path, path.open("w", encoding="utf-8") as stream:
        write_report(stream, store, runs, samples_dir)
