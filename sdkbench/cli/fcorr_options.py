"""What `sdkbench fcorr` can be told, apart from what it shares with other commands."""

from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import Mode
from sdkbench.core import Integrity

SampleOption = Annotated[
    Path | None, typer.Option(help="Judge the reference of the sample in this folder.")
]
SdkOption = Annotated[
    str | None, typer.Option(help='Judge the references of all samples of an SDK, or "all".')
]
SolutionOption = Annotated[
    Path | None, typer.Option(help="Judge this solution folder on its sample's tests.")
]
DirectoryOption = Annotated[Path | None, typer.Option(help="Judge this folder on its own tests.")]
ForSampleOption = Annotated[Path | None, typer.Option(help="The sample that --solution answers.")]
StartersOption = Annotated[
    bool, typer.Option("--starters", help="With --sdk: judge the unfinished starters as well.")
]
ModeOption = Annotated[Mode, typer.Option(help="How to score.")]
LanguageOption = Annotated[
    str | None, typer.Option(help="Use this runner instead of the surest one.")
]
NoInstallOption = Annotated[
    bool, typer.Option("--no-install", help="Use only environments that are there already.")
]
IntegrityOption = Annotated[
    Integrity | None,
    typer.Option(
        help="How much is done against forged verdicts. Default: twinned with --sdk, "
        "whose scores are for others to read; checked for a single folder."
    ),
]
NoReferenceOption = Annotated[
    bool, typer.Option("--no-reference", help="The same as --integrity off.")
]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Judge only the first N samples.")]
RepeatOption = Annotated[
    int, typer.Option(min=1, max=100, help="Judge each N times, the references too.")
]
TimeoutOption = Annotated[
    float, typer.Option(min=0.1, max=86400, help="Seconds that one attempt's tests may take.")
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show every failure with its trace and output.")
]
