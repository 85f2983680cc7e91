"""Filters are expressions; the latest messages are chosen in Python; counting goes user by user."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb.expr import col, lit
from lancedb.pydantic import LanceModel, Vector


class Message(LanceModel):
    """A row."""

    user: str
    at: int
    text: str
    vector: Vector(4)  # type: ignore[valid-type]


async def _table(path: str | Path) -> Any:
    if not Path(path).exists():
        return None
    db = await lancedb.connect_async(path)
    try:
        return await db.open_table("messages")
    except ValueError:
        return None


async def remember(path: str | Path, messages: Iterable[Mapping[str, Any]]) -> int:
    """Check by the model, then add."""
    rows = [Message(**message).model_dump() for message in messages]
    db = await lancedb.connect_async(path)
    table = await db.create_table("messages", schema=Message, exist_ok=True)
    if len(rows) > 0:
        await table.add(rows)
    return len((await table.to_arrow())["user"])


async def recent(path: str | Path, user: str, limit: int = 10) -> list[str]:
    """Sort them here."""
    table = await _table(path)
    if not table:
        return []
    rows = await table.query().where(col("user") == lit(user)).select(["at", "text"]).to_list()
    rows.sort(key=lambda row: -row["at"])
    return [row["text"] for row in rows][:limit]


async def recall(path: str | Path, user: str, vector: Sequence[float], k: int = 3) -> list[str]:
    """Search by the method that is a coroutine itself."""
    table = await _table(path)
    if not table:
        return []
    search = await table.search(list(vector), vector_column_name="vector")
    found = search.distance_type("cosine").where(col("user") == lit(user)).limit(k)
    return (await found.to_arrow())["text"].to_pylist()


async def counts(path: str | Path, users: Sequence[str]) -> dict[str, int]:
    """Read the names once."""
    table = await _table(path)
    names = [row["user"] for row in await table.query().to_list()] if table else []
    return {user: names.count(user) for user in users}


async def forget(path: str | Path, user: str) -> int:
    """Count before and after."""
    table = await _table(path)
    if not table:
        return 0
    before = await table.count_rows()
    await table.delete(col("user") == lit(user))
    return before - await table.count_rows()
