"""`sdkbench export RUN` and `import FOLDER`: runs for other programs, solutions of others."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import RunArgument, StoreOption
from sdkbench.errors import InputError
from sdkbench.report import write_csv, write_jsonl, write_parquet
from sdkbench.store import open_store
from sdkbench.store.results_layout import export_results
from sdkbench.store.results_layout import import_results as take_in


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
            with _new_file(_required(output, form)) as path:
                write_parquet(path, chosen.id, attempts)
        elif output is None:
            TEXT[form](sys.stdout, chosen.id, attempts)
        else:
            with _new_file(output) as path, path.open("w", encoding="utf-8", newline="") as stream:
                TEXT[form](stream, chosen.id, attempts)


def import_results(
    folder: Annotated[
        Path, typer.Argument(help="Holds <sdk>/<model>/solutions/<sample>/.", metavar="FOLDER")
    ],
    store: StoreOption = None,
) -> None:
    """A new run of all solutions below FOLDER, stored and not judged."""
    with open_store(store) as opened:
        imported = take_in(opened, folder)
    for sentence in imported.left_out:
        typer.echo(f"left out: {sentence}", err=True)
    typer.echo(f"run {imported.run.id}: {imported.attempts} solutions imported")


def _required(output: Path | None, form: Format) -> Path:
    if output is None:
        raise InputError(f"--format {form} needs --output: it can't go to the terminal.")
    return output


@contextmanager
def _new_file(output: Path) -> Iterator[Path]:
    """A file that takes the name `output` once it is whole; never over something that exists."""
    if output.exists() or output.is_symlink():
        raise InputError(f"{output} exists already. Name a new file.")
    try:
        handle, name = tempfile.mkstemp(prefix=".making-", dir=output.parent)
        os.close(handle)
        unfinished = Path(name)
        try:
            yield unfinished
            unfinished.chmod(0o644)
            unfinished.rename(output)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{output} can't be written: {error.strerror or error}. Name another file."
        ) from error
