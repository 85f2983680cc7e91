"""A run's attempts as a Parquet file; pyarrow is an extra."""

import importlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sdkbench.errors import MissingTool
from sdkbench.report.attempt_files import COLUMNS, INTEGERS, NUMBERS, Cell, flat_row
from sdkbench.store import Attempt

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
        raise MissingTool(
            "Parquet needs a package more: pip install 'sdkbench[parquet]'."
        ) from error
