"""What `sdkbench run` can be told; what is not given is None, so that a file may say it."""

from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import Mode
from sdkbench.core import Integrity
from sdkbench.engine import EngineKind, SandboxLevel

MODELS = "reference, starter, openai:MODEL, anthropic:MODEL, mlx:PATH, agent:CMD, replay:FOLDER"

SdkOption = Annotated[
    list[str] | None, typer.Option(help='Samples of this SDK, or "all". Repeat for more.')
]
DatasetOption = Annotated[
    list[str] | None,
    typer.Option(help='A shell dataset: a TOML file, or "core" for our own. Repeat for more.'),
]
ModelOption = Annotated[
    list[str] | None,
    typer.Option(metavar="SPEC", help=f"What to measure: {MODELS}. Repeat to compare."),
]
TrialsOption = Annotated[int | None, typer.Option(help="Tries of each. Default: 1.")]
LimitOption = Annotated[
    int | None, typer.Option(help="Only the first N of each SDK and each dataset.")
]
WorkersOption = Annotated[
    int | None, typer.Option(help="Solutions judged at once. Default: one per core.")
]
MaxRequestsOption = Annotated[
    int | None, typer.Option(help="Requests to each model at once. Default: 8.")
]
RunFcorrOption = Annotated[
    bool | None,
    typer.Option("--run-fcorr/--no-fcorr", help="Execute solutions, or only read them."),
]
ModeOption = Annotated[Mode | None, typer.Option(help="How to score. Default: strict.")]
IntegrityOption = Annotated[
    Integrity | None,
    typer.Option(help="How much is done against forged verdicts. Default: twinned."),
]
TimeoutOption = Annotated[
    float | None, typer.Option(help="Seconds that one attempt's tests may take. Default: 300.")
]
SkipGenerationOption = Annotated[
    bool | None, typer.Option("--skip-generation", help="Ask nobody: judge what is stored.")
]
SkipEvaluationOption = Annotated[
    bool | None,
    typer.Option("--skip-evaluation", help="Store solutions of samples without judging them."),
]
DocsOption = Annotated[
    Path | None, typer.Option(help="A text file about the SDK, put into the prompts.")
]
RunIdOption = Annotated[
    str | None, typer.Option(help="The run's name; one that is there is resumed.")
]
LabelOption = Annotated[str | None, typer.Option(help="A word on the run, for its reader.")]
ResumeOption = Annotated[
    bool | None,
    typer.Option("--resume/--fresh", help="Use what the store has (default), or nothing of it."),
]
ConfigOption = Annotated[
    Path | None, typer.Option(help="A TOML file with these settings; flags override it.")
]
SandboxOption = Annotated[
    SandboxLevel | None, typer.Option(help="How judged code is isolated. Default: auto.")
]
EngineOption = Annotated[
    EngineKind | None, typer.Option(help="Judge on this machine, or on a Ray cluster.")
]
AddressOption = Annotated[
    str | None, typer.Option(help="The Ray cluster; without it, one is started here.")
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show the reason of every failure.")
]
