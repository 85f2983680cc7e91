"""Messages become stories or copies, batches count once, and bad ones change nothing."""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]

STORM = "storm hits the northern coast at night"  # seven words
STORM_2 = "storm hits the northern coast at dawn"  # one of them changed: 1/7 away
VOTE = "parliament votes on the new budget today"


def vector_of(text: str) -> list[float]:
    """Repeat the task's embedder, so that a solution cannot change it unnoticed."""
    boxes = [0.0] * 64
    for word in text.lower().split():
        boxes[zlib.crc32(word.encode()) % 64] += 1.0
    return boxes


def message(name: str, text: str, at: int = 1000) -> dict[str, Any]:
    return {"id": name, "text": text, "at": at}


def facts(rows: Rows) -> dict[str, tuple[int, int, int]]:
    """First, last and copies of each story."""
    stored = rows("stories")
    assert len(stored) == len({row["id"] for row in stored})
    return {row["id"]: (row["first"], row["last"], row["copies"]) for row in stored}


def test_tables_are_as_stated(db_path: Path, rows: Rows, open_table: OpenTable) -> None:
    app.ingest(db_path, "b1", [message("a", STORM)])
    assert rows("stories") == [
        {
            "id": "a",
            "text": STORM,
            "first": 1000,
            "last": 1000,
            "copies": 0,
            "vector": vector_of(STORM),
        }
    ]
    types = {field.name: field.type for field in open_table("stories").schema}
    assert types["vector"] == pa.list_(pa.float32(), 64)
    assert types["copies"] == pa.int64()
    types = {field.name: field.type for field in open_table("batches").schema}
    assert types == {"batch": pa.string(), "kept": pa.int64(), "merged": pa.int64()}


def test_copies_of_stored_stories(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "b1", [message("a", STORM), message("v", VOTE)])
    done = app.ingest(str(db_path), "b2", [message("c", STORM_2, 1500)])
    assert done == {"kept": [], "merged": {"c": "a"}, "skipped": False}
    assert facts(rows) == {"a": (1000, 1500, 1), "v": (1000, 1000, 0)}
    assert {row["id"]: row["text"] for row in rows("stories")}["a"] == STORM


def test_copies_within_a_batch(db_path: Path, rows: Rows) -> None:
    batch = [message("a", STORM), message("b", STORM_2), message("c", STORM), message("v", VOTE)]
    done = app.ingest(db_path, "b1", iter(batch))
    assert done == {"kept": ["a", "v"], "merged": {"b": "a", "c": "a"}, "skipped": False}
    assert facts(rows) == {"a": (1000, 1000, 2), "v": (1000, 1000, 0)}


def test_messages_are_taken_by_time_and_id(db_path: Path, rows: Rows) -> None:
    batch = [
        message("late", STORM, 3000),
        message("b", STORM, 2000),
        message("a", STORM_2, 2000),
        message("x", VOTE, 1),
    ]
    done = app.ingest(db_path, "b1", batch)
    assert done["kept"] == ["x", "a"]
    assert done["merged"] == {"b": "a", "late": "a"}
    assert facts(rows)["a"] == (2000, 3000, 2)


def test_copies_are_compared_with_the_story_itself(db_path: Path) -> None:
    chain = [
        message("a", "one two three four five six", 1),
        message("b", "one two three four five SEVEN", 2),
        message("c", "one two three four EIGHT seven", 3),
    ]
    done = app.ingest(db_path, "b1", chain, threshold=0.2)
    assert done["merged"] == {"b": "a"}
    assert done["kept"] == ["a", "c"]


def test_the_nearest_story_gets_the_copy(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "b1", [message("near", STORM_2), message("far", STORM)], threshold=0.01)
    done = app.ingest(db_path, "b2", [message("c", STORM_2), message("d", STORM)])
    assert done["merged"] == {"c": "near", "d": "far"}
    mixed = [message("new", VOTE, 1), message("e", STORM_2, 2), message("f", VOTE, 3)]
    assert app.ingest(db_path, "b3", mixed)["merged"] == {"e": "near", "f": "new"}
    assert facts(rows)["near"] == (1000, 1000, 2)


def test_distance_is_cosine(db_path: Path) -> None:
    app.ingest(db_path, "b1", [message("a", STORM)])
    done = app.ingest(db_path, "b2", [message("long", " ".join([STORM] * 9))])
    assert done["merged"] == {"long": "a"}


def test_the_threshold_decides(db_path: Path) -> None:
    app.ingest(db_path, "b1", [message("a", STORM)])
    done = app.ingest(db_path, "b2", [message("c", STORM_2)], threshold=0.1)
    assert done["kept"] == ["c"]
    other = "storm hits the southern coast by day"  # three of seven words changed
    assert app.ingest(db_path, "b3", [message("d", other)])["kept"] == ["d"]
    loose = "storm hits the western coast by noon"
    assert app.ingest(db_path, "b4", [message("e", loose)], threshold=0.5)["kept"] == []


def test_only_recent_stories_get_copies(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "b1", [message("a", STORM, 1000)], window=100)
    done = app.ingest(db_path, "b2", [message("b", STORM, 1100)], window=100)
    assert done["merged"] == {"b": "a"}
    done = app.ingest(db_path, "b3", [message("c", STORM, 1200)], window=100)
    assert done["merged"] == {"c": "a"}
    done = app.ingest(db_path, "b4", [message("d", STORM, 1301)], window=100)
    assert done["kept"] == ["d"]
    assert facts(rows) == {"a": (1000, 1200, 2), "d": (1301, 1301, 0)}


def test_an_old_story_does_not_stand_before_a_recent_one(db_path: Path) -> None:
    app.ingest(db_path, "b1", [message("old", STORM, 0), message("new", STORM_2, 1000)], window=100)
    done = app.ingest(db_path, "b2", [message("c", STORM, 1050)], window=100)
    assert done["merged"] == {"c": "new"}


def test_a_day_is_recent(db_path: Path) -> None:
    app.ingest(db_path, "b1", [message("a", STORM, 0)])
    assert app.ingest(db_path, "b2", [message("b", STORM, 86_400)])["merged"] == {"b": "a"}
    assert app.ingest(db_path, "b3", [message("c", STORM, 172_801)])["kept"] == ["c"]


def test_copies_keep_a_story_recent_within_a_batch(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "b1", [message("a", STORM, 0)], window=10)
    batch = [message(f"m{at:02}", STORM, at) for at in (8, 16, 24, 40)]
    done = app.ingest(db_path, "b2", batch, window=10)
    assert done["merged"] == {"m08": "a", "m16": "a", "m24": "a"}
    assert done["kept"] == ["m40"]
    assert facts(rows) == {"a": (0, 24, 3), "m40": (40, 40, 0)}


def test_late_messages_do_not_turn_time_back(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "b1", [message("a", STORM, 1000)])
    app.ingest(db_path, "b2", [message("b", STORM, 400)])
    assert facts(rows) == {"a": (1000, 1000, 1)}


def test_batches_count_once(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "it's", [message("a", STORM), message("b", STORM_2), message("v", VOTE)])
    again = app.ingest(db_path, "it's", [message("z", VOTE)])
    assert again == {"kept": [], "merged": {}, "skipped": True}
    assert facts(rows) == {"a": (1000, 1000, 1), "v": (1000, 1000, 0)}
    assert rows("batches") == [{"batch": "it's", "kept": 2, "merged": 1}]
    assert app.ingest(db_path, "x' OR '1'='1", [])["skipped"] is False
    assert app.ingest(db_path, "x' OR '1'='1", [])["skipped"] is True


def test_unusable_batches_change_nothing(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "b1", [message("it's", STORM)])
    for bad in (message("e", "  "), message("it's", VOTE), message("c", VOTE)):
        with pytest.raises(ValueError):
            app.ingest(db_path, "b2", [message("b", STORM_2), message("c", "other words"), bad])
    assert facts(rows) == {"it's": (1000, 1000, 0)}
    assert app.ingest(db_path, "b2", [message("c", STORM_2)])["merged"] == {"c": "it's"}


def test_top_stories(db_path: Path) -> None:
    texts = ["alpha beta", "gamma delta", "epsilon zeta", "eta theta", "iota kappa", "lambda mu"]
    batch = [message(f"s{n}", text, n) for n, text in enumerate(texts)]
    batch += [message("c1", texts[4], 10), message("c2", texts[4], 11), message("c3", texts[2], 12)]
    app.ingest(db_path, "b1", batch)
    found = app.top(db_path)
    assert [story["id"] for story in found] == ["s4", "s2", "s0", "s1", "s3"]
    assert found[0] == {"id": "s4", "text": "iota kappa", "copies": 2}
    assert [story["id"] for story in app.top(db_path, 11)] == ["s4", "s2"]
    assert [story["id"] for story in app.top(db_path, limit=1)] == ["s4"]
    assert len(app.top(db_path, limit=20)) == 6
    assert app.top(db_path.parent / "empty") == []
