"""`sdkbench export-tasks` and `import-tasks`: samples as tasks of other frameworks, and back."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import SamplesDirOption, SandboxOption
from sdkbench.datasets import default_samples_dir, load_sdk
from sdkbench.engine import SandboxLevel
from sdkbench.errors import ExitCode, InputError, SampleError
from sdkbench.test_harness import Harness


class TaskFormat(StrEnum):
    HARBOR = "harbor"


FormatOption = Annotated[TaskFormat, typer.Option("--format", help="Whose tasks.")]
FolderOption = Annotated[
    Path, typer.Option("--output", "-o", help="A new or empty folder.", show_default=False)
]
WheelOption = Annotated[
    Path | None,
    typer.Option(help="The SDKBench that verifiers install. Default: the released one."),
]


def export_tasks(
    output: FolderOption,
    form: FormatOption = TaskFormat.HARBOR,
    sdk: Annotated[str, typer.Option(help="An SDK, or all.")] = "all",
    samples_dir: SamplesDirOption = None,
    wheel: WheelOption = None,
) -> int:
    """Every sample as a task whose verifier is our judge."""
    from sdkbench.integrations.harbor_export import export_task  # noqa: PLC0415 - for this alone

    del form  # there is one
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise InputError(f"{output} is there already, and not an empty folder. Name a new one.")
    if wheel is not None and not (wheel.is_file() and wheel.suffix == ".whl"):
        raise InputError(f"{wheel} is no wheel. `uv build --wheel` makes one.")
    samples = load_sdk(samples_dir or default_samples_dir(), sdk)
    written = 0
    for sample in samples:
        try:
            export_task(sample, output, wheel)
            written += 1
        except SampleError as error:
            typer.echo(f"left out: {error}", err=True)
    typer.echo(f"{written} of {len(samples)} samples written to {output}", err=True)
    return ExitCode.OK if written == len(samples) else ExitCode.GATE_NOT_MET


def import_tasks(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A task, or a folder of them.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A samples folder.", show_default=False)
    ],
    form: FormatOption = TaskFormat.HARBOR,
    sdk: Annotated[str, typer.Option(help="The SDK that they are filed under.")] = "harbor",
    sandbox: SandboxOption = SandboxLevel.AUTO,
) -> int:
    """Tasks with pytest tests as samples; a task that doesn't fit is named with the reason."""
    from sdkbench.integrations.harbor_import import import_task, tasks_below  # noqa: PLC0415

    del form
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder. Name a task, or a folder of tasks.")
    tasks = tasks_below(folder)
    harness = Harness.default(sandbox)
    taken = 0
    try:
        for task in tasks:
            imported = import_task(task, output, sdk, harness)
            taken += imported.sample is not None
            place = imported.sample or f"left out. {imported.reason}"
            typer.echo(f"{imported.task}: {place}", err=True)
    finally:
        harness.close()
    typer.echo(f"{taken} of {len(tasks)} tasks are samples in {output}", err=True)
    return ExitCode.OK if taken == len(tasks) else ExitCode.GATE_NOT_MET
