"""`sdkbench export RUN`: a run for other programs."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import RunArgument, StoreOption
from sdkbench.cli.output_file import new_file
from sdkbench.errors import InputError
from sdkbench.report import write_csv, write_jsonl, write_parquet
from sdkbench.store import open_store
from sdkbench.store.results_layout import export_results


class Format(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    RESULTS = "results"


TEXT = {Format.JSONL: write_jsonl, Format.CSV: write_csv}


def export(
    run: RunArgument,
    form: Annotated[
        Format,
        typer.Option("--format", help="`results` is a folder <sdk>/<model>/solutions/<sample>/."),
    ] = Format.JSONL,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="A new file; a folder for `results`.", show_default="stdout"
        ),
    ] = None,
    trial: Annotated[
        int, typer.Option(min=0, help="For `results`: which trial; the layout holds one.")
    ] = 0,
    store: StoreOption = None,
) -> None:
    """Attempts as JSON lines, CSV or Parquet; solutions in the public results layout."""
    with open_store(store, write=False) as opened:
        chosen = opened.find_run(run)
        if form is Format.RESULTS:
            exported = export_results(opened, chosen.id, _required(output, form), trial=trial)
            for sentence in exported.left_out:
                typer.echo(sentence, err=True)
            typer.echo(f"{exported.solutions} solutions written to {output}", err=True)
            return
        attempts = opened.attempts(chosen.id)
        if form is Format.PARQUET:
            with new_file(_required(output, form)) as path:
                write_parquet(path, chosen.id, attempts)
        elif output is None:
            TEXT[form](sys.stdout, chosen.id, attempts)
        else:
            with new_file(output) as path, path.open("w", encoding="utf-8", newline="") as stream:
                TEXT[form](stream, chosen.id, attempts)


def _required(output: Path | None, form: Format) -> Path:
    if output is None:
        raise InputError(f"--format {form} needs --output: it can't go to the terminal.")
    return output
