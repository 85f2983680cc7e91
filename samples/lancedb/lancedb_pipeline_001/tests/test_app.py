"""From documents to searchable chunks and back: ingest, mirror changes, rank documents."""

import math
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

LONG = " ".join(f"w{number}" for number in range(30))
LONG_CHUNKS = [
    " ".join(f"w{number}" for number in range(first, last))
    for first, last in ((0, 12), (8, 20), (16, 28), (24, 30))
]


def vector_of(text: str) -> list[float]:
    """Repeat the task's embedder, so that a solution cannot change it unnoticed."""
    counts = [0.0] * 64
    for word in text.lower().split():
        counts[zlib.crc32(word.encode()) % 64] += 1.0
    length = math.sqrt(sum(count * count for count in counts))
    return [count / length for count in counts]


def distance(one: str, other: str) -> float:
    """Cosine distance of two texts."""
    return 1 - sum(a * b for a, b in zip(vector_of(one), vector_of(other), strict=True))


def texts(stored: list[dict[str, Any]], doc_id: str) -> list[str]:
    """Return a document's stored chunks in order; fails if they are not numbered 0, 1, 2…"""
    own = sorted((row["chunk_no"], row["text"]) for row in stored if row["doc_id"] == doc_id)
    assert [number for number, _ in own] == list(range(len(own)))
    return [text for _, text in own]


def report(**changes: list[str]) -> dict[str, list[str]]:
    return {"added": [], "updated": [], "removed": [], "unchanged": [], **changes}


def test_chunks_are_overlapping_windows_without_a_redundant_tail() -> None:
    assert app.chunk(LONG) == LONG_CHUNKS
    assert app.chunk("a b\n c   d e", size=3, overlap=1) == ["a b c", "c d e"]
    assert app.chunk("a b c d e f", size=3, overlap=1) == ["a b c", "c d e", "e f"]
    assert app.chunk("a b c d e", size=2, overlap=0) == ["a b", "c d", "e"]
    assert app.chunk("a b", size=12, overlap=4) == ["a b"]
    assert app.chunk(" \n ") == []


def test_impossible_window_raises() -> None:
    for size, overlap in ((0, 0), (4, 4), (4, 5), (4, -1), (-2, -3)):
        with pytest.raises(ValueError):
            app.chunk("a b c", size=size, overlap=overlap)


def test_documents_are_stored_as_embedded_chunks(
    db_path: Path, open_table: OpenTable, rows: Rows
) -> None:
    assert app.sync(db_path, {"long": LONG, "short": "one  two", "empty": "  "}) == report(
        added=["long", "short"]
    )
    stored = rows("chunks")
    assert len(stored) == 5
    assert texts(stored, "long") == LONG_CHUNKS
    assert texts(stored, "short") == ["one two"]
    for row in stored:
        assert row["vector"] == pytest.approx(vector_of(row["text"]), abs=1e-6)
    types = {field.name: field.type for field in open_table("chunks").schema}
    assert types["chunk_no"] == pa.int64()
    assert types["vector"] == pa.list_(pa.float32(), 64)


def test_syncing_the_same_words_again_writes_nothing(db_path: Path, open_table: OpenTable) -> None:
    app.sync(db_path, {"long": LONG, "short": "one two"})
    before = open_table("chunks").version
    again = {"long": LONG.replace(" ", "\n"), "short": "  one   two "}
    assert app.sync(str(db_path), again) == report(unchanged=["long", "short"])
    assert open_table("chunks").version == before
    assert open_table("chunks").count_rows() == 5


def test_changed_documents_leave_no_former_chunk(db_path: Path, rows: Rows) -> None:
    app.sync(db_path, {"shrinks": LONG, "grows": "tiny", "it's fixed": "steady text"})
    changed = {"shrinks": "w0 w1 w2", "grows": LONG, "it's fixed": "steady text", "new": "hello"}
    assert app.sync(db_path, changed) == report(
        added=["new"], updated=["grows", "shrinks"], unchanged=["it's fixed"]
    )
    stored = rows("chunks")
    assert len(stored) == 7
    assert texts(stored, "shrinks") == ["w0 w1 w2"]
    assert texts(stored, "grows") == LONG_CHUNKS
    assert texts(stored, "it's fixed") == ["steady text"]
    assert texts(stored, "new") == ["hello"]
    for row in stored:
        assert row["vector"] == pytest.approx(vector_of(row["text"]), abs=1e-6)


def test_missing_documents_are_removed(db_path: Path, rows: Rows) -> None:
    injection = "x') OR ('1'='1"
    app.sync(db_path, {"O'Hara": LONG, injection: "some words", "emptied": "abc", "stays": "here"})
    left = app.sync(db_path, {"stays": "here", "O'Hara": LONG, "emptied": ""})
    assert left == report(removed=["emptied", injection], unchanged=["O'Hara", "stays"])
    assert texts(rows("chunks"), "O'Hara") == LONG_CHUNKS
    assert app.sync(db_path, {"stays": "here"}) == report(removed=["O'Hara"], unchanged=["stays"])
    assert [row["doc_id"] for row in rows("chunks")] == ["stays"]
    assert app.sync(db_path, {}) == report(removed=["stays"])
    assert rows("chunks") == []


def test_search_ranks_documents_by_their_nearest_chunk(db_path: Path) -> None:
    filler = [f"pad{number}" for number in range(12)]
    chunks = {
        "exact": ["red apple pie"],
        "buried": [" ".join(filler), " ".join([*filler[8:], "red apple cake"])],
        "partly": ["red fire engine"],
        "unrelated": ["quarterly tax report"],
    }
    app.sync(
        db_path,
        {name: parts[0] for name, parts in chunks.items()}
        | {"buried": " ".join([*filler, "red apple cake"])},
    )
    hits = app.search(db_path, "red apple pie", limit=4)
    nearest = {
        name: min((distance("red apple pie", text), number) for number, text in enumerate(parts))
        for name, parts in chunks.items()
    }
    assert [hit["doc_id"] for hit in hits] == sorted(nearest, key=lambda name: nearest[name])
    for hit in hits:
        near, number = nearest[hit["doc_id"]]
        assert set(hit) == {"doc_id", "chunk_no", "text", "distance"}
        assert hit["distance"] == pytest.approx(near, abs=1e-5)
        assert hit["chunk_no"] == number
        assert hit["text"] == chunks[hit["doc_id"]][number]


def test_a_long_document_does_not_crowd_out_others(db_path: Path) -> None:
    documents = {"everywhere": "storm warning " * 90, "once": "storm at sea", "calm": "still lake"}
    app.sync(db_path, documents)
    hits = app.search(db_path, "storm warning")
    assert [hit["doc_id"] for hit in hits] == ["everywhere", "once", "calm"]
    assert [hit["doc_id"] for hit in app.search(db_path, "storm warning", limit=1)] == [
        "everywhere"
    ]
    assert len(app.search(db_path, "storm warning", limit=2)) == 2


def test_search_follows_updates_and_refuses_empty_queries(db_path: Path) -> None:
    assert app.search(db_path, "anything") == []
    app.sync(db_path, {"a": "blue whale", "b": "green parrot"})
    app.sync(db_path, {"a": "yellow submarine", "c": "blue whale song"})
    hits = app.search(str(db_path), "blue whale", limit=10)
    assert [hit["doc_id"] for hit in hits] == ["c", "a"]
    assert [hit["text"] for hit in hits] == ["blue whale song", "yellow submarine"]
    app.sync(db_path, {})
    assert app.search(db_path, "blue whale") == []
    for query, limit in (("  ", 3), ("blue", 0), ("blue", -2)):
        with pytest.raises(ValueError):
            app.search(db_path, query, limit=limit)
