"""Messages are remembered, recalled, counted and forgotten."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]


def message(user: str, at: int, text: str, vector: list[float] | None = None) -> dict[str, Any]:
    return {"user": user, "at": at, "text": text, "vector": vector or [1.0, 0.0, 0.0, 0.0]}


TALK = [
    message("ann", 30, "third", [4.0, 0.0, 0.0, 0.0]),
    message("ann", 10, "first", [0.5, 0.5, 0.0, 0.0]),
    message("bob", 20, "hello", [1.0, 0.0, 0.0, 0.0]),
    message("ann", 20, "second", [0.0, 1.0, 0.0, 0.0]),
]


@pytest.fixture
def memory(db_path: Path) -> Path:
    asyncio.run(app.remember(db_path, TALK))
    return db_path


def test_messages_are_stored_as_stated(memory: Path, rows: Rows, open_table: OpenTable) -> None:
    types = {field.name: field.type for field in open_table("messages").schema}
    assert types == {
        "user": pa.string(),
        "at": pa.int64(),
        "text": pa.string(),
        "vector": pa.list_(pa.float32(), 4),
    }
    assert sorted(rows("messages"), key=lambda row: row["text"]) == [
        message("ann", 10, "first", [0.5, 0.5, 0.0, 0.0]),
        message("bob", 20, "hello", [1.0, 0.0, 0.0, 0.0]),
        message("ann", 20, "second", [0.0, 1.0, 0.0, 0.0]),
        message("ann", 30, "third", [4.0, 0.0, 0.0, 0.0]),
    ]


def test_remembering_tells_the_number_of_all(db_path: Path, rows: Rows) -> None:
    assert asyncio.run(app.remember(db_path, [])) == 0
    assert rows("messages") == []
    assert asyncio.run(app.remember(db_path, TALK[:1])) == 1
    assert asyncio.run(app.remember(str(db_path), iter(TALK[1:]))) == 4
    assert asyncio.run(app.remember(db_path, [])) == 4
    assert len(rows("messages")) == 4


def test_a_vector_of_another_length_stores_nothing(memory: Path, rows: Rows) -> None:
    for vector in ([1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0]):
        with pytest.raises(ValueError):
            talk = [message("ann", 40, "ok"), message("x", 1, "y", vector)]
            asyncio.run(app.remember(memory, talk))
    assert len(rows("messages")) == 4


def test_recent_messages_come_latest_first(memory: Path) -> None:
    assert asyncio.run(app.recent(memory, "ann")) == ["third", "second", "first"]
    assert asyncio.run(app.recent(memory, "ann", 2)) == ["third", "second"]
    assert asyncio.run(app.recent(memory, "bob")) == ["hello"]
    assert asyncio.run(app.recent(memory, "eve")) == []


def test_recent_is_the_latest_of_many(db_path: Path) -> None:
    talk = [message("ann", n * 7 % 40, f"m{n * 7 % 40}") for n in range(40)]
    asyncio.run(app.remember(db_path, talk))
    assert asyncio.run(app.recent(db_path, "ann", 3)) == ["m39", "m38", "m37"]
    assert asyncio.run(app.recent(db_path, "ann"))[-1] == "m30"
    assert len(asyncio.run(app.recent(db_path, "ann", 25))) == 25


def test_recall_is_by_cosine(memory: Path) -> None:
    near = [1.0, 0.1, 0.0, 0.0]
    assert asyncio.run(app.recall(memory, "ann", near)) == ["third", "first", "second"]
    assert asyncio.run(app.recall(memory, "ann", near, 1)) == ["third"]
    assert asyncio.run(app.recall(memory, "ann", (0.0, 2.0, 0.0, 0.0), 1)) == ["second"]


def test_others_do_not_crowd_a_user_out(memory: Path) -> None:
    crowd = [message("crowd", n, f"c{n}", [1.0, 0.001 * n, 0.0, 0.0]) for n in range(20)]
    asyncio.run(app.remember(memory, crowd))
    found = asyncio.run(app.recall(memory, "ann", [1.0, 0.0, 0.0, 0.0]))
    assert found == ["third", "first", "second"]


def test_counts_of_several_users(memory: Path) -> None:
    found = asyncio.run(app.counts(memory, ["ann", "eve", "bob"]))
    assert found == {"ann": 3, "eve": 0, "bob": 1}
    assert asyncio.run(app.counts(memory, [])) == {}


def test_forgetting_takes_one_user(memory: Path, rows: Rows) -> None:
    assert asyncio.run(app.forget(memory, "ann")) == 3
    assert [row["user"] for row in rows("messages")] == ["bob"]
    assert asyncio.run(app.forget(memory, "ann")) == 0


def test_names_are_values(db_path: Path, rows: Rows) -> None:
    names = ["O'Neil", 'say "hi"', "x' OR '1'='1"]
    asyncio.run(app.remember(db_path, [message(name, 1, name) for name in names]))
    for name in names:
        assert asyncio.run(app.recent(db_path, name)) == [name]
        assert asyncio.run(app.recall(db_path, name, [1.0, 0.0, 0.0, 0.0])) == [name]
    assert asyncio.run(app.counts(db_path, ["O'Neil"])) == {"O'Neil": 1}
    assert asyncio.run(app.forget(db_path, "y' OR '1'='1")) == 0
    assert asyncio.run(app.forget(db_path, "x' OR '1'='1")) == 1
    assert len(rows("messages")) == 2


def test_nothing_is_there_and_nothing_is_made(db_path: Path) -> None:
    assert asyncio.run(app.recent(db_path, "ann")) == []
    assert asyncio.run(app.recall(db_path, "ann", [1.0, 0.0, 0.0, 0.0])) == []
    assert asyncio.run(app.counts(db_path, ["ann", "bob"])) == {"ann": 0, "bob": 0}
    assert asyncio.run(app.forget(db_path, "ann")) == 0
    assert not db_path.exists()
    lancedb.connect(str(db_path)).create_table("unrelated", [{"n": 1}])
    assert asyncio.run(app.recent(db_path, "ann")) == []
    assert asyncio.run(app.forget(db_path, "ann")) == 0
    assert lancedb.connect(str(db_path)).list_tables().tables == ["unrelated"]
