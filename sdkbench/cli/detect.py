"""`sdkbench detect DIR`: what every runner finds in a folder, and which one would be used."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.core import tree
from sdkbench.errors import ExitCode
from sdkbench.test_harness import TestRunnerRegistry


def detect(
    directory: Annotated[Path, typer.Argument(help="The project folder.", metavar="DIR")],
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON, and only JSON.")] = False,
) -> int:
    """Every runner's finding, the surest first."""
    folder = tree.folder(directory, what="The project folder")
    results = TestRunnerRegistry.detect_all(folder)
    if json_output:
        typer.echo(json.dumps([result.model_dump(mode="json") for result in results], indent=2))
    else:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in ("runner", "from", "confidence", "language", "framework", "because of"):
            table.add_column(column, overflow="fold")
        for result in results:
            table.add_row(
                Text(result.runner),
                Text(result.origin),
                f"{result.confidence:.2f}" if result.detected else "no",
                Text(str(result.language or "")),
                Text(str(result.framework or "")),
                Text(result.error or ", ".join(result.markers_found)),
            )
        console = Console(highlight=False)
        console.print(table)
        best = next((r for r in results if r.detected), None)
        chosen = f"{best.runner} would be used" if best else "no runner recognises this folder"
        console.print(f"\n{chosen}")
    return ExitCode.HARNESS_FAULT if any(r.error for r in results) else ExitCode.OK
