"""`sdkbench compare A B`: what improved and what regressed between two runs or two models."""

from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from sdkbench.cli.console import harmless, print_rows, stdout_console
from sdkbench.cli.options import JsonOption, StoreOption
from sdkbench.errors import InputError
from sdkbench.metrics.thresholds import METRICS
from sdkbench.report import (
    RunComparison,
    compare_runs,
    comparison_markdown,
    json_text,
    open_sources,
)
from sdkbench.report.comparison_text import (
    WORDS,
    comparison_notes,
    counts_sentence,
    side_text,
    significance_sentence,
    told_changes,
)

MOST_SHOWN = 30  # of each model and suite; --verbose has them all
SIDE = "A run's id, the beginning of one, `latest`, or a file that `export` wrote."


class ComparisonFormat(StrEnum):
    TABLE = "table"
    MARKDOWN = "markdown"


FirstArgument = Annotated[str, typer.Argument(metavar="A", help=SIDE)]
SecondArgument = Annotated[
    str | None,
    typer.Argument(metavar="[B]", help="The same; default: A, with --against.", show_default=False),
]
ModelOption = Annotated[str | None, typer.Option(help="Only this model.")]
AgainstOption = Annotated[
    str | None, typer.Option(help="The model of B that --model is compared with.")
]


def compare(
    first: FirstArgument,
    second: SecondArgument = None,
    model: ModelOption = None,
    against: AgainstOption = None,
    form: Annotated[ComparisonFormat, typer.Option("--format")] = ComparisonFormat.TABLE,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List every change.")] = False,
    store: StoreOption = None,
    json_output: JsonOption = False,
) -> None:
    """Sample by sample: improved, regressed, unchanged, unstable; and whether by chance."""
    if second is None and against is None:
        raise InputError("Name a second run, or two models of this one: --model X --against Y.")
    if json_output and form is not ComparisonFormat.TABLE:
        raise InputError(f"--json contradicts --format {form}.")
    with open_sources([first, second or first], store) as (before, after):
        comparison = compare_runs(before, after, model, against)
    if json_output:
        typer.echo(json_text(comparison))
    elif form is ComparisonFormat.MARKDOWN:
        typer.echo(comparison_markdown(comparison), nl=False)
    else:
        show_comparison(stdout_console(), comparison, verbose=verbose)


def show_comparison(out: Console, comparison: RunComparison, *, verbose: bool) -> None:
    for letter, side in (("A", comparison.first), ("B", comparison.second)):
        label = f" ({side.label})" if side.label else ""
        state = f": {side.state}" if side.state else " from a file"
        out.print(harmless(f"{letter}  run {side.run_id}{label}{state}"), soft_wrap=True)
    for note in comparison_notes(comparison):
        out.print(harmless(note), style="yellow")
    for model in comparison.models:
        for suite, changes in model.suites.items():
            name = harmless(model.named or "(none)")
            out.print(f"\n{METRICS[suite]}, {name}: {counts_sentence(changes)}", style="bold")
            out.print(significance_sentence(changes.significance))
            told = told_changes(changes)
            shown = told if verbose else told[:MOST_SHOWN]
            if shown:
                out.print()
            print_rows(
                out,
                ("change", "A", "B", "sample", "reason"),
                [
                    (
                        WORDS[each.change],
                        side_text(each.first),
                        side_text(each.second),
                        each.sample,
                        each.reason,
                    )
                    for each in shown
                ],
            )
            if len(shown) < len(told):
                out.print(f"… and {len(told) - len(shown)} more: see --verbose or --json.")
