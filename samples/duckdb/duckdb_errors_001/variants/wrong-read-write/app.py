"""Questions in SQL that strangers ask of a DuckDB file."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

KINDS = {
    duckdb.ParserException: "syntax",
    duckdb.PermissionException: "refused",
    duckdb.CatalogException: "unknown",
    duckdb.BinderException: "unknown",
    duckdb.DataError: "data",
    duckdb.InterruptException: "too slow",
}


class NoAnswer(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def opened(path: Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(path, config={"enable_external_access": False})


@contextmanager
def interrupted(db: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, db.interrupt)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def ask(
    path: Path,
    sql: str,
    values: Sequence[Any] | Mapping[str, Any] = (),
    limit: int = 100,
    seconds: float = 10.0,
) -> dict[str, Any]:
    with opened(path) as db:
        try:
            statement = only_select(sql)
            given = values if isinstance(values, Mapping) else range(1, len(values) + 1)
            if {str(name) for name in given} != statement.named_parameters:
                raise NoAnswer("values", "the values are not those that the question asks for")
            with interrupted(db, seconds):
                # Rows are computed as they are fetched, so what is wrong may show only then.
                db.execute(statement, values)
                rows = db.fetchmany(limit + 1)
        except NoAnswer as error:
            return {"error": error.kind, "message": str(error)}
        except duckdb.Error as error:
            found = [kind for each, kind in KINDS.items() if isinstance(error, each)]
            return {"error": (found or ["failed"])[0], "message": str(error).splitlines()[0]}
        columns = [column[0] for column in db.description]
        return {"columns": columns, "rows": rows[:limit], "more": len(rows) > limit}


def only_select(sql: str) -> duckdb.Statement:
    statements = duckdb.extract_statements(sql)
    if len(statements) != 1:
        raise NoAnswer("refused", f"{len(statements)} statements instead of one")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise NoAnswer("refused", "not a SELECT statement")
    return statements[0]


def describe(path: Path) -> dict[str, list[tuple[str, str]]]:
    query = """
        SELECT table_name, column_name, data_type FROM duckdb_columns()
        WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index
    """
    found: dict[str, list[tuple[str, str]]] = {}
    with opened(path) as db:
        for table, column, kind in db.execute(query).fetchall():
            found.setdefault(table, []).append((column, kind))
    return found
