"""`sdkbench shell validate`: what is wrong with a dataset, and what is doubtful."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.options import DatasetArgument
from sdkbench.cli.shell_eval import find_dataset
from sdkbench.errors import ExitCode, GateNotMet
from sdkbench.shell import TestDataset
from sdkbench.shell.dataset import Lines, locate
from sdkbench.shell.validation import Concern, concerns

PIPED_WIDTH = 150


def validate(
    dataset: DatasetArgument = "core",
    yes: Annotated[
        bool, typer.Option("--yes", help="Confirm every label that the judges contradict.")
    ] = False,
) -> int:
    """Every problem with its line. Labels against the judges need a note in their case, or --yes.

    Exit 2 if the dataset doesn't load, 1 if something is left to confirm.
    """
    source = find_dataset(dataset)
    loaded = TestDataset.from_toml(source)
    found = concerns(loaded)
    lines = locate(source.read_text(encoding="utf-8-sig"))
    places = {case.id: place for place, case in enumerate(loaded.test_cases)}
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    if found:
        console.print(_table(found, lines, places))
    open_ones = [c for c in found if not c.confirmed]
    counts = f"{len(loaded.test_cases)} cases, {len(found)} remarks, {len(open_ones)} to confirm"
    console.print(Text(f"{source}: {counts}"))
    if open_ones and not yes:
        raise GateNotMet(
            f"{len(open_ones)} of these remarks need a change, a note in their case that says why "
            "the dataset is right, or --yes."
        )
    return ExitCode.OK


def _table(found: tuple[Concern, ...], lines: Lines, places: dict[str, int]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("line", justify="right", no_wrap=True)
    for column in ("case", "about", "command", "remark"):
        table.add_column(column, overflow="fold")
    table.add_column("", no_wrap=True)
    for concern in found:
        table.add_row(
            str(lines.of("test_cases", places[concern.test_id])),
            Text(concern.test_id),
            concern.doubt.value,
            Text(concern.command),
            Text(concern.message),
            "" if concern.confirmed else Text("confirm", style="yellow"),
        )
    return table
