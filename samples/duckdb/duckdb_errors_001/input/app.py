"""Questions in SQL that strangers ask of a DuckDB file (duckdb 2.0.0 is installed, nothing else: neither
numpy nor pandas nor pyarrow).

`path` is the file, which is there; others read it at the same time, so it is opened for reading only. Every
function closes its connection. duckdb.Error comes out if the file can't be opened, and for nothing else.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def ask(
    path: Path,
    sql: str,
    values: Sequence[Any] | Mapping[str, Any] = (),
    limit: int = 100,
    seconds: float = 10.0,
) -> dict[str, Any]:
    """Answer a question: one SELECT statement, in whatever form DuckDB counts as one (WITH, FROM, VALUES, …),
    with a semicolon or comments or without. `values` are those of its ? in order, or of its $names.

    Returns {"columns": [names], "rows": [tuples], "more": bool}: at most `limit` rows, and whether there
    are more. A result may be far larger than memory; no more of it is computed than needed.

    If there is no answer, returns {"error": KIND, "message": the first line of what DuckDB or you say}, where
    KIND is the first of these that fits:

    "syntax"    it is not SQL
    "refused"   it is not exactly one SELECT statement (also none at all), or it reaches for anything outside of
                the file: other files, folders, the network, extensions
    "values"    `values` are not exactly those that it asks for, by their names or number
    "unknown"   it names what is not there (a table, column, function, …), or that doesn't fit its place
    "data"      a value cannot be converted or computed, in whatever row, as long as that row is needed
    "too slow"  it takes longer than `seconds`, and is interrupted
    "failed"    DuckDB says anything else; also where a SELECT would write, which has no effect
    """
    raise NotImplementedError


def describe(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Tables and views of the schema main by name in order → the names and types of their columns in order."""
    raise NotImplementedError
