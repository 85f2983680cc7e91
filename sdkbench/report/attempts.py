"""A run's attempts as files for other programs: JSON lines, CSV, Parquet."""

import csv
import importlib
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from sdkbench.errors import MissingTool
from sdkbench.store import Attempt

Cell = str | int | float | None
# In the order of the columns; `result` and `tests` are in JSON lines only.
TEXTS = (
    "run_id", "key", "suite", "sdk", "sample", "task_type", "model", "outcome", "fault", "error",
    "mode", "assurance", "environment_key", "ended_at", "reused_from",
)  # fmt: skip
INTEGERS = ("trial", "input_tokens", "output_tokens", "tests_total", "tests_passed")
NUMBERS = ("score", "duration_seconds", "cost_usd")
COLUMNS = TEXTS + INTEGERS + NUMBERS


def flat_row(run_id: str, attempt: Attempt) -> dict[str, Cell]:
    """One cell for each of COLUMNS."""
    values = attempt.model_dump(mode="json", exclude={"result", "tests"})
    values["run_id"] = run_id
    values["tests_total"] = len(attempt.tests)
    values["tests_passed"] = sum(test.status == "passed" for test in attempt.tests)
    return {name: values[name] for name in COLUMNS}


def write_jsonl(stream: TextIO, run_id: str, attempts: Iterable[Attempt]) -> int:
    """Everything but artefacts, a line an attempt; how many lines."""
    count = 0
    for attempt in attempts:
        line = {"run_id": run_id, **attempt.model_dump(mode="json")}
        stream.write(json.dumps(line, separators=(",", ":")) + "\n")
        count += 1
    return count


def write_csv(stream: TextIO, run_id: str, attempts: Iterable[Attempt]) -> int:
    """A header and a row an attempt; how many rows. None is an empty cell."""
    # Every text in quotes: Python 3.11 leaves a lone carriage return without, and so splits a row.
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    count = 0
    for attempt in attempts:
        writer.writerow(flat_row(run_id, attempt))
        count += 1
    return count


ROWS_AT_ONCE = 1000


def write_parquet(path: Path, run_id: str, attempts: Iterable[Attempt]) -> int:
    """The columns of the CSV, with types; how many rows. MissingTool without pyarrow."""
    arrow, parquet = _module("pyarrow"), _module("pyarrow.parquet")
    kinds = {name: arrow.int64() for name in INTEGERS} | {name: arrow.float64() for name in NUMBERS}
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in COLUMNS])
    rows = (flat_row(run_id, attempt) for attempt in attempts)
    count = 0
    with parquet.ParquetWriter(path, schema) as writer:
        for batch in _batches(rows):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _batches(rows: Iterator[dict[str, Cell]]) -> Iterator[list[dict[str, Cell]]]:
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        yield batch


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingTool("Parquet files need pyarrow: pip install 'sdkbench[parquet]'.") from error
