"""`sdkbench detect DIR`: what every runner finds in a folder, and which one would be used; or
`detect --sample DIR`: the level at which solutions of a sample are judged, and why no higher.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from sdkbench.cli.console import plain_table
from sdkbench.cli.levels import show_levels
from sdkbench.cli.options import JsonOption, SamplesDirOption
from sdkbench.core import tree
from sdkbench.datasets import default_samples_dir, load_sample, load_sdk
from sdkbench.errors import ExitCode, InputError
from sdkbench.report import json_text
from sdkbench.test_harness import RunnerDetectionResult, TestRunnerRegistry

DirectoryArgument = Annotated[
    Path | None, typer.Argument(help="The project folder.", metavar="DIR", show_default=False)
]
SampleOption = Annotated[
    Path | None, typer.Option(help="At which level solutions of this sample are judged, and why.")
]
SdkOption = Annotated[
    str | None, typer.Option(help='The same for all samples of an SDK, or of "all".')
]


def detect(
    directory: DirectoryArgument = None,
    sample: SampleOption = None,
    sdk: SdkOption = None,
    samples_dir: SamplesDirOption = None,
    json_output: JsonOption = False,
) -> int:
    """Every runner's finding in a folder, the surest first; or a sample's level of assurance."""
    if sum(each is not None for each in (directory, sample, sdk)) != 1:
        raise InputError("Name one thing to look at: DIR, --sample DIR or --sdk NAME.")
    if directory is not None:
        return _detect_runners(directory, json_output=json_output)
    if sample is not None:
        samples = [load_sample(sample)]
    else:
        samples = load_sdk(samples_dir or default_samples_dir(), str(sdk))
    return show_levels(samples, json_output=json_output)


def _detect_runners(directory: Path, *, json_output: bool) -> int:
    folder = tree.folder(directory, what="The project folder")
    results = TestRunnerRegistry.detect_all(folder)
    if json_output:
        typer.echo(json_text(results, indent=2))
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
    refused = TestRunnerRegistry.surest(results).unsupported
    if refused:
        return refused
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
