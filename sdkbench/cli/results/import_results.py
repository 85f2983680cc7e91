"""`sdkbench import FOLDER`: solutions and answers of others, stored, and judged on request."""

from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.console import harmless
from sdkbench.cli.options import (
    JsonOption,
    ReasonsOption,
    SamplesDirOption,
    StoreOption,
    WarmOption,
)
from sdkbench.cli.run import (
    IntegrityOption,
    ModeOption,
    SandboxOption,
    TimeoutOption,
    WorkersOption,
    judge_stored,
    settings_among,
)
from sdkbench.datasets import default_samples_dir
from sdkbench.errors import ExitCode, InputError
from sdkbench.generation.recorded import RecordedAnswers
from sdkbench.store import open_store
from sdkbench.store.results_layout import import_results as take_in

FolderArgument = Annotated[
    Path, typer.Argument(help="Holds <sdk>/<model>/solutions/<sample>/.", metavar="FOLDER")
]
JudgeOption = Annotated[
    bool, typer.Option("--judge", help="Judge the solutions at once, as a second run.")
]
AnswersOption = Annotated[
    bool,
    typer.Option(
        "--answers",
        help="Take solutions from llm_response.md, even where files stand beside it.",
    ),
]


def import_results(
    folder: FolderArgument,
    judge: JudgeOption = False,
    answers: AnswersOption = False,
    samples_dir: SamplesDirOption = None,
    mode: ModeOption = None,
    integrity: IntegrityOption = None,
    warm: WarmOption = None,
    timeout: TimeoutOption = None,
    workers: WorkersOption = None,
    sandbox: SandboxOption = None,
    store: StoreOption = None,
    verbose: ReasonsOption = False,
    json_output: JsonOption = False,
) -> int:
    """A new run of all solutions below FOLDER. A raw answer (llm_response.md) without files is
    taken apart; --judge judges them on the tests of --samples-dir.
    """
    flags = settings_among(locals())
    if json_output and not judge:
        raise InputError("--json goes with --judge: it prints the figures.")
    reader = RecordedAnswers(samples_dir or default_samples_dir())
    with open_store(store) as opened:
        imported = take_in(opened, folder, reader, prefer_answers=answers)
        for sentence in imported.left_out:
            typer.echo(f"left out: {harmless(sentence)}", err=True)
        taken = f", {imported.from_answers} of them from answers" if imported.from_answers else ""
        said = f"run {imported.run.id}: {imported.attempts} solutions imported{taken}"
        typer.echo(said, err=judge)
        if not judge or not imported.attempts:
            return ExitCode.OK
        return judge_stored(
            opened, imported.run, flags, verbose=verbose, json_output=json_output, changes=False
        )
