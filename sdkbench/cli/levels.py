"""The level at which solutions of a sample are judged, and why no higher, test by test."""

from collections.abc import Sequence

import typer
from rich.console import Console
from rich.text import Text

from sdkbench.cli.console import harmless, plain_table, stdout_console
from sdkbench.core import Integrity
from sdkbench.datasets import Sample
from sdkbench.errors import ExitCode, SampleError
from sdkbench.judge.reference import Reference, SampleLevel
from sdkbench.judge.subject import Options
from sdkbench.report import json_text
from sdkbench.test_harness import Harness


def show_levels(samples: Sequence[Sample], *, json_output: bool) -> int:
    """Prove each sample that was not proven before, and say what came of it."""
    harness = Harness.default()
    levels: list[SampleLevel] = []
    try:
        for sample in samples:
            if not json_output and len(samples) > 1:
                typer.echo(f"{sample.id} …", err=True)
            levels.append(_level(sample, harness))
    finally:
        harness.close()
    if json_output:
        typer.echo(json_text(levels, indent=2))
    else:
        _print(stdout_console(), levels)
    return ExitCode.BAD_INPUT if any(level.error for level in levels) else ExitCode.OK


def _level(sample: Sample, harness: Harness) -> SampleLevel:
    try:
        return Reference(sample, harness, Options(integrity=Integrity.APART)).level()
    except SampleError as error:
        return SampleLevel(sample_id=sample.id, error=str(error))


def _print(console: Console, levels: Sequence[SampleLevel]) -> None:
    table = plain_table("sample", "level", "because", overflow="fold")
    for level in levels:
        lines = [f"{test}: {why}" if test else why for test, why in level.obstacles.items()]
        because = level.error or "\n".join(lines) or "every test passes apart from the reference"
        table.add_row(level.sample_id, level.assurance or "none", Text(harmless(because)))
    console.print(table)
