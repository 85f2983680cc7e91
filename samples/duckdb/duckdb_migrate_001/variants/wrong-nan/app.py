"""Reports on JSON files."""

from pathlib import Path
from typing import Any

import duckdb

# Types are given, so that a file whose lists are all null or empty has them, too.
FILE = """read_json($path, auto_detect = false, format = 'auto',
    columns = {name: 'VARCHAR', tags: 'VARCHAR[]', scores: 'DOUBLE[]'})"""


def ask(path: Path, query: str, **values: Any) -> list[tuple[Any, ...]]:
    # In the name of a file to read, these characters would be a pattern.
    name = "".join(f"[{char}]" if char in "*?[" else char for char in str(path))
    with duckdb.connect() as db:
        return db.execute(query, {"path": name, **values}).fetchall()


def names(path: Path, at_least: float) -> list[str]:
    query = f"""
        SELECT name FROM {FILE}
        WHERE len(list_filter(scores, lambda x: x >= $least)) > 0 ORDER BY name
    """
    return [name for (name,) in ask(path, query, least=at_least)]


def shorten(path: Path, length: int) -> dict[str, list[str]]:
    query = f"SELECT name, list_transform(coalesce(tags, []), lambda t: t[1:$length]) FROM {FILE}"
    found = ask(path, query, length=length)
    return {name: list(dict.fromkeys(tags)) for name, tags in found}


def totals(path: Path) -> list[tuple[str, float | None, int | None]]:
    query = f"""
        SELECT name, total, floor(100 * total / sum(total) OVER ())::INTEGER
        FROM (SELECT name, coalesce(list_sum(scores), 0) AS total FROM {FILE}) ORDER BY name
    """
    return ask(path, query)


def report(path: Path, target: Path) -> int:
    rows = f"SELECT name, coalesce(len(tags), 0) AS tags, list_max(scores) AS best FROM {FILE}"
    quoted = str(target).replace("'", "''")
    copy = f"COPY ({rows} ORDER BY name) TO '{quoted}' (FORMAT csv, HEADER)"
    ((count,),) = ask(path, copy)
    return count
