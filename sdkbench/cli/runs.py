"""`sdkbench runs`: what is in the store."""

import json
from collections import Counter

import typer
from rich.table import Table
from rich.text import Text

from sdkbench.cli.options import JsonOption
from sdkbench.cli.printable import harmless
from sdkbench.cli.run_display import console
from sdkbench.cli.store_option import StoreOption
from sdkbench.core import Outcome
from sdkbench.store import Run, open_store


def runs(
    store: StoreOption = None,
    json_output: JsonOption = False,
) -> None:
    """Every run, the newest first."""
    with open_store(store, write=False) as opened:
        found = opened.runs()
        counts = opened.outcome_counts()
    if json_output:
        typer.echo(json.dumps([_record(run, counts.get(run.id, Counter())) for run in found]))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("run", "state", "attempts", "outcomes", "label"):
        table.add_column(column, justify="right" if column == "attempts" else "left")
    for run in found:
        counted = counts.get(run.id, Counter())
        planned = "?" if run.planned is None else str(run.planned)
        table.add_row(
            run.id,
            run.state,
            f"{counted.total()}/{planned}",
            ", ".join(f"{count} {outcome}" for outcome, count in sorted(counted.items())),
            Text(harmless(run.label)),
        )
    console().print(table)


def _record(run: Run, counted: Counter[Outcome]) -> dict[str, object]:
    return {**run.model_dump(mode="json"), "attempts": counted.total(), "outcomes": dict(counted)}
