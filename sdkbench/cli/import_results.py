"""`sdkbench import FOLDER`: solutions in the public results layout, into the store."""

from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.store_option import StoreOption
from sdkbench.store import open_store
from sdkbench.store.results_layout import import_results as take_in


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
