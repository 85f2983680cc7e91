"""A memory of chat messages on LanceDB's asynchronous client."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.query import ColumnOrdering
from lancedb.table import AsyncTable

TABLE = "messages"
DIMENSION = 4
SCHEMA = pa.schema(
    [
        pa.field("user", pa.string()),
        pa.field("at", pa.int64()),
        pa.field("text", pa.string()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)
LATEST_FIRST = [ColumnOrdering(column_name="at", ascending=False, nulls_first=False)]


async def remember(path: str | Path, messages: Iterable[Mapping[str, Any]]) -> int:
    """Store messages; returns how many the table holds afterwards."""
    rows = [dict(message) for message in messages]
    for row in rows:
        if len(row["vector"]) != DIMENSION:
            raise ValueError(f"a vector has {DIMENSION} numbers, not {len(row['vector'])}")
    db = await lancedb.connect_async(str(path))
    table = await db.create_table(TABLE, schema=SCHEMA, exist_ok=True)
    if rows:
        await table.add(pa.Table.from_pylist(rows, schema=SCHEMA))
    return await table.count_rows()


async def recent(path: str | Path, user: str, limit: int = 10) -> list[str]:
    """The texts of the latest messages of a user, the latest first."""
    table = await _existing(path)
    if table is None:
        return []
    query = table.query().where(_is(user)).limit(limit)
    return [row["text"] for row in await query.to_list()]


async def recall(path: str | Path, user: str, vector: Sequence[float], k: int = 3) -> list[str]:
    """The texts of the `k` messages of a user whose vectors are nearest by cosine."""
    table = await _existing(path)
    if table is None:
        return []
    query = table.vector_search(list(vector)).distance_type("cosine").where(_is(user)).limit(k)
    return [row["text"] for row in await query.to_list()]


async def counts(path: str | Path, users: Sequence[str]) -> dict[str, int]:
    """How many messages each of these users has, asked for all at once."""
    table = await _existing(path)
    if table is None:
        return dict.fromkeys(users, 0)
    numbers = await asyncio.gather(*(table.count_rows(_is(user)) for user in users))
    return dict(zip(users, numbers, strict=True))


async def forget(path: str | Path, user: str) -> int:
    """Remove all messages of a user; returns how many there were."""
    table = await _existing(path)
    if table is None:
        return 0
    return (await table.delete(_is(user))).num_deleted_rows


async def _existing(path: str | Path) -> AsyncTable | None:
    # connect_async() would create a missing folder.
    if not Path(path).is_dir():
        return None
    db = await lancedb.connect_async(str(path))
    if TABLE not in (await db.list_tables()).tables:
        return None
    return await db.open_table(TABLE)


def _is(user: str) -> str:
    quoted = user.replace("'", "''")
    return f"user = '{quoted}'"
