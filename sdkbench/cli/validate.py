"""`sdkbench validate`: do a sample's tests tell right from wrong? Proven, or what is missing."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.console import stdout_console
from sdkbench.cli.options import JsonOption, PrivateTestsOption, SandboxOption, WorkersOption
from sdkbench.cli.proofs import ProofDisplay, show_proofs
from sdkbench.datasets import check_private_tests, default_samples_dir
from sdkbench.engine import SandboxLevel
from sdkbench.engine.judging import default_workers
from sdkbench.engine.run import conduct
from sdkbench.errors import Cancelled, ExitCode
from sdkbench.test_harness import Harness
from sdkbench.validation import Progress, ProofSettings, prove_all, samples_below, table_of

PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH",
        help="A sample, an SDK's folder or a folder of SDKs. Default: ./samples, or the bundled.",
        show_default=False,
    ),
]
MutantsOption = Annotated[
    int, typer.Option(min=1, max=1000, help="Mutants of each reference, at most.")
]
TableOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a table of all samples to this file.")
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show survivors, and what could not be tried.")
]


def validate(
    paths: PathsArgument = None,
    mutants: MutantsOption = 40,
    private_tests: PrivateTestsOption = None,
    table: TableOption = None,
    workers: WorkersOption = None,
    sandbox: SandboxOption = SandboxLevel.AUTO,
    verbose: VerboseOption = False,
    json_output: JsonOption = False,
) -> int:
    """Prove samples: references pass, mistakes fail, and everything demanded is stated."""
    wanted = paths or [default_samples_dir()]
    roots = list(dict.fromkeys(root for path in wanted for root in samples_below(path)))
    for samples_dir in {root.resolve().parent.parent for root in roots}:
        check_private_tests(private_tests, samples_dir)
    harness = Harness.default(sandbox)
    settings = ProofSettings(private_tests, mutants)
    display = ProofDisplay(harness.sandbox.level, len(roots), quiet=json_output)
    progress = Progress(display.began, display.finished)
    at_once = workers or default_workers()
    work = asyncio.to_thread(prove_all, roots, harness, settings, at_once, progress)
    try:
        with display:
            proofs = conduct(work, harness.sandbox.cancellation)
    except Cancelled:
        done = len(display.finished_proofs)
        display.say(f"Stopped: {done} of {len(roots)} proofs are done. The same command goes on.")
        return ExitCode.INTERRUPTED
    finally:
        harness.close()
    if table is not None:
        table.write_text(table_of(proofs), encoding="utf-8")
    if json_output:
        typer.echo(json.dumps([proof.model_dump(mode="json") for proof in proofs], indent=2))
    else:
        show_proofs(stdout_console(), proofs, verbose=verbose)
    return ExitCode.OK if all(proof.proven for proof in proofs) else ExitCode.GATE_NOT_MET
