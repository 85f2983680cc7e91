"""`sdkbench detect DIR`: what every runner finds in a folder, and which one would be used."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from sdkbench.cli.console import plain_table
from sdkbench.cli.options import JsonOption
from sdkbench.core import tree
from sdkbench.errors import ExitCode
from sdkbench.test_harness import RunnerDetectionResult, TestRunnerRegistry


def detect(
    directory: Annotated[Path, typer.Argument(help="The project folder.", metavar="DIR")],
    json_output: JsonOption = False,
) -> int:
    """Every runner's finding, the surest first."""
    folder = tree.folder(directory, what="The project folder")
    results = TestRunnerRegistry.detect_all(folder)
    if json_output:
        typer.echo(json.dumps([result.model_dump(mode="json") for result in results], indent=2))
    else:
        columns = ("runner", "from", "confidence", "language", "framework", "because of")
        table = plain_table(*columns, overflow="fold")
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
        console.print(f"\n{explained(results)}", markup=False, soft_wrap=True)
    return ExitCode.HARNESS_FAULT if any(r.error for r in results) else ExitCode.OK


def explained(results: Sequence[RunnerDetectionResult]) -> str:
    """Which runner would be used, why, how sure that is, and how to have another one."""
    detected = [result for result in results if result.detected]
    if not detected:
        return "no runner recognises this folder"
    [best, *others] = detected
    chosen = f"{best.runner} would be used, because of {', '.join(best.markers_found)}"
    chosen += f" (confidence {best.confidence:.2f})."
    if not others:
        return chosen
    second = others[0]
    if second.confidence == best.confidence:
        lead = f"{second.runner} is as sure, and comes later by name."
    else:
        lead = f"That is {best.confidence - second.confidence:.2f} ahead of {second.runner}."
    also = "; ".join(f"{r.runner} ({', '.join(r.markers_found)})" for r in others)
    return f"{chosen} {lead}\nAlso found: {also}. To use it: fcorr --language {second.runner}."
