"""A run's attempts as files for other programs: JSON lines, CSV, Parquet."""

import csv
import importlib
import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from sdkbench.errors import MissingTool
from sdkbench.report.code_metrics import stored_metrics
from sdkbench.store import Attempt


class ExportedAttempt(Attempt):
    """A line of `export --format jsonl`: everything but artefacts."""

    run_id: str


Cell = str | int | float | None
# In the order of the columns; `result` and `tests` are in JSON lines only.
TEXTS = (
    "run_id", "key", "suite", "sdk", "sample", "task_type", "model", "outcome", "fault", "error",
    "mode", "assurance", "environment_key", "ended_at", "reused_from",
)  # fmt: skip
INTEGERS = ("trial", "input_tokens", "output_tokens", "tests_total", "tests_passed")
NUMBERS = ("score", "duration_seconds", "cost_usd")
# Read from code, by metric; empty where a run was not told to.
CODE = {
    "I-ACC": "i_acc", "C-COMP": "c_comp", "IPA": "ipa", "CQ": "cq", "SEM-SIM": "sem_sim",
}  # fmt: skip
COLUMNS = (*TEXTS, *INTEGERS, *NUMBERS, *CODE.values())


def flat_row(run_id: str, attempt: Attempt) -> dict[str, Cell]:
    """One cell for each of COLUMNS."""
    values = attempt.model_dump(mode="json", exclude={"result", "tests"})
    values["run_id"] = run_id
    values["tests_total"] = len(attempt.tests)
    values["tests_passed"] = sum(test.status == "passed" for test in attempt.tests)
    read = {result.metric: result.score for result in stored_metrics(attempt)}
    values |= {column: read.get(metric) for metric, column in CODE.items()}
    return {name: values[name] for name in COLUMNS}


def write_jsonl(stream: TextIO, run_id: str, attempts: Iterable[Attempt]) -> None:
    """Everything but artefacts, a line an attempt."""
    for attempt in attempts:
        line = {"run_id": run_id, **attempt.model_dump(mode="json")}
        stream.write(json.dumps(line, separators=(",", ":")) + "\n")


def write_csv(stream: TextIO, run_id: str, attempts: Iterable[Attempt]) -> None:
    """A header and a row an attempt. None is an empty cell."""
    # Every text in quotes: Python 3.11 leaves a lone carriage return without, and so splits a row.
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    writer.writerows(flat_row(run_id, attempt) for attempt in attempts)


ROWS_AT_ONCE = 1000


def write_parquet(path: Path, run_id: str, attempts: Iterable[Attempt]) -> None:
    """The columns of the CSV, with types. MissingTool without pyarrow."""
    arrow, parquet = _module("pyarrow"), _module("pyarrow.parquet")
    kinds = {name: arrow.int64() for name in INTEGERS}
    kinds |= {name: arrow.float64() for name in (*NUMBERS, *CODE.values())}
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in COLUMNS])
    rows = (flat_row(run_id, attempt) for attempt in attempts)
    with parquet.ParquetWriter(path, schema) as writer:
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingTool("Parquet files need pyarrow: pip install 'sdkbench[parquet]'.") from error
