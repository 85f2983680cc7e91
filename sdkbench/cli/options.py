"""Options that several commands have, each with one name, one meaning and one help text."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.core import ScoreMode
from sdkbench.engine import SandboxLevel


class Mode(StrEnum):
    STRICT = "strict"
    PASS_RATE = "pass-rate"
    WEIGHTED = "weighted"

    def score_mode(self) -> ScoreMode:
        return ScoreMode(self.value.replace("-", "_"))


ReasonsOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show the reason of every failure.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, and only JSON.")]
SandboxOption = Annotated[SandboxLevel, typer.Option(help="How judged code is isolated.")]
SamplesDirOption = Annotated[
    Path | None, typer.Option(help="Where samples are. Default: ./samples, or the bundled ones.")
]
PrivateTestsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="More tests, in DIR/<sdk>/<sample>/; solutions must pass them too."
    ),
]
WarmOption = Annotated[
    bool | None,
    typer.Option(
        "--warm/--cold",
        help="Fork runs from a process that has the packages loaded (default), or start each anew.",
        show_default=False,
    ),
]
WorkersOption = Annotated[
    int | None, typer.Option(min=1, max=256, help="Attempts at once. Default: one per core.")
]
DatasetArgument = Annotated[
    str, typer.Argument(metavar="DATASET", help='A TOML file, or "core" for our own.')
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="A SQLite file or postgresql:// URL; default $SDKBENCH_STORE or .sdkbench/store.db.",
        metavar="PATH|URL",
        show_default=False,
    ),
]
RunArgument = Annotated[
    str, typer.Argument(help="A run's id, the beginning of one, or `latest`.", metavar="RUN")
]
FailUnderOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[WHERE:]PERCENT",
        help="Exit 1 if F-CORR or CSR is below; 80, sdk=NAME:80, category=safety:95. Repeatable.",
    ),
]
