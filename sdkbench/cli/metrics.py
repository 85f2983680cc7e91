"""`sdkbench metrics`: what solutions got right, read from their code, in a table with findings."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from sdkbench.cli.console import harmless, plain_table, stdout_console
from sdkbench.cli.fcorr import (
    ForSampleOption,
    SampleOption,
    SdkOption,
    SolutionOption,
    StartersOption,
    Wanted,
)
from sdkbench.cli.options import JsonOption, SamplesDirOption
from sdkbench.core import Solution
from sdkbench.datasets import default_samples_dir
from sdkbench.engine import label
from sdkbench.errors import InputError
from sdkbench.evaluator import EvaluationResult, Evaluator
from sdkbench.judge.subject import Subject
from sdkbench.metrics.overall import METRICS, parse_weights
from sdkbench.report import json_text
from sdkbench.report.code_metrics import MeasuredSolution
from sdkbench.test_harness import Harness

WeightsOption = Annotated[
    str,
    typer.Option(
        help='Of the overall score: "classic", "balanced", or your own, e.g. "I-ACC=50,IPA=50".'
    ),
]
FcorrOption = Annotated[
    bool, typer.Option("--run-fcorr", help="Execute the solutions too, for F-CORR.")
]
StaticOption = Annotated[
    bool, typer.Option("--static", help="Start no tool: leave CQ (linters, type checkers) out.")
]
FindingsOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show what was found of each solution.")
]


def metrics(
    sample: SampleOption = None,
    sdk: SdkOption = None,
    solution: SolutionOption = None,
    for_sample: ForSampleOption = None,
    samples_dir: SamplesDirOption = None,
    starters: StartersOption = False,
    weights: WeightsOption = "classic",
    run_fcorr: FcorrOption = False,
    static: StaticOption = False,
    verbose: FindingsOption = False,
    json_output: JsonOption = False,
) -> None:
    """Six metrics of solutions: I-ACC, C-COMP, IPA, F-CORR, CQ, SEM-SIM, and an overall score."""
    wanted = Wanted(sample, sdk, solution, None, for_sample, starters=starters)
    chosen = parse_weights(weights)
    subjects = wanted.subjects(samples_dir or default_samples_dir())
    harness = Harness.default()
    try:
        results = [
            _evaluate(subject, harness, run_fcorr=run_fcorr, static=static) for subject in subjects
        ]
    finally:
        harness.close()
    if json_output:
        document = [_measured(result, chosen) for result in results]
        typer.echo(json_text(document if sdk is not None else document[0], indent=2))
        return
    out = stdout_console()
    show_metrics(out, [label(subject) for subject in subjects], results, chosen)
    if verbose or len(results) == 1:
        for subject, result in zip(subjects, results, strict=True):
            _show_findings(out, label(subject), result)


def _evaluate(
    subject: Subject, harness: Harness, *, run_fcorr: bool, static: bool
) -> EvaluationResult:
    if subject.sample is None:
        raise InputError("These metrics hold a solution against a sample: pass --for-sample.")
    evaluator = Evaluator(
        Solution(subject.solution_dir).solution_dir,
        subject.sample.ground_truth.metadata_path,
        harness=harness,
    )
    if static:
        return evaluator.evaluate_quick(run_fcorr=run_fcorr)
    return evaluator.evaluate(run_fcorr=run_fcorr)


def _measured(result: EvaluationResult, weights: str | dict[str, float]) -> MeasuredSolution:
    return MeasuredSolution(
        solution_dir=result.solution_dir,
        sample_id=result.sample_id,
        f_corr=result.f_corr,
        metrics=result.metrics,
        overall=result.overall(weights),
    )


def show_metrics(
    out: Console,
    names: Sequence[str],
    results: Sequence[EvaluationResult],
    weights: str | dict[str, float],
) -> None:
    columns = ["solution", *METRICS, "overall", ""]
    table = plain_table(*columns, right={*METRICS, "overall"}, overflow="fold")
    for name, result in zip(names, results, strict=True):
        total = result.overall(weights)
        cells = [_figure(result.scores().get(metric)) for metric in METRICS]
        table.add_row(Text(harmless(name)), *cells, _figure(total.score), total.grade or "")
    out.print(table)
    said = ", ".join(f"{m} {w:g}" for m, w in results[0].overall(weights).weights.items())
    out.print(f"\noverall: {weights if isinstance(weights, str) else 'own'} weights ({said});")
    out.print("a metric without a figure leaves its weight to the others.")


def _figure(score: float | None) -> str:
    return "–" if score is None else f"{score:.0f}"


def _show_findings(out: Console, name: str, result: EvaluationResult) -> None:
    for each in result.metrics:
        for finding in each.all_findings():
            out.print(harmless(f"{name}: {each.metric}: {finding}"), soft_wrap=True, markup=False)
