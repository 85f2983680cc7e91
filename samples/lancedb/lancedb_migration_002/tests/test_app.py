"""What the library promised holds on the new version."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from expected import app, indexes, store
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]


def book(
    number: int, title: str, author: str = "Poe", year: int = 1900, about: tuple[float, ...] = ()
) -> dict[str, Any]:
    vector = list(about) or [1.0, 0.0, 0.0, 0.0]
    return {"id": number, "title": title, "author": author, "year": year, "vector": vector}


BOOKS = [
    book(4, "The raven's nest", "O'Brien", 1950, (0.9, 0.1, 0.0, 0.0)),
    book(1, "Ravens", "Poe", 1845, (9.0, 0.0, 0.0, 0.0)),
    book(2, 'A "short" walk', "Lee", 1999, (0.0, 1.0, 0.0, 0.0)),
    book(3, "Walking the dog", "Lee", 2005, (0.1, 1.0, 0.0, 0.0)),
    book(5, "It", "King", 1986, (0.5, 0.5, 0.0, 0.0)),
]


@pytest.fixture
def library(db_path: Path) -> Path:
    app.add(db_path, BOOKS)
    indexes.build(db_path)
    return db_path


def test_the_table_is_as_stated(db_path: Path, open_table: OpenTable, rows: Rows) -> None:
    store.open_books(db_path)
    types = {field.name: field.type for field in open_table("books").schema}
    assert types == {
        "id": pa.int64(),
        "title": pa.string(),
        "author": pa.string(),
        "year": pa.int64(),
        "vector": pa.list_(pa.float32(), 4),
    }
    app.add(db_path, BOOKS[:1])
    store.open_books(str(db_path))
    assert rows("books") == [
        {
            "id": 4,
            "title": "The raven's nest",
            "author": "O'Brien",
            "year": 1950,
            "vector": pytest.approx([0.9, 0.1, 0.0, 0.0]),
        }
    ]


def test_adding_tells_the_version(db_path: Path, open_table: OpenTable, rows: Rows) -> None:
    first = app.add(db_path, BOOKS[:2])
    assert first == open_table("books").version
    second = app.add(str(db_path), BOOKS[2:])
    assert second > first
    assert app.add(db_path, []) == second
    assert len(rows("books")) == 5


def test_a_wrong_vector_adds_nothing(library: Path, rows: Rows) -> None:
    for about in ((1.0, 2.0), (1.0, 2.0, 3.0, 4.0, 5.0)):
        with pytest.raises(ValueError):
            app.add(library, [book(8, "good"), book(9, "bad", about=about)])
    assert len(rows("books")) == 5


def test_indexes_are_built_and_named(library: Path, open_table: OpenTable) -> None:
    assert indexes.names(library) == {"title": "FTS", "author": "Bitmap"}
    found = {index.columns[0]: index.index_type for index in open_table("books").list_indices()}
    assert found == {"title": "FTS", "author": "Bitmap"}


def test_no_indexes_at_first(db_path: Path) -> None:
    app.add(db_path, BOOKS)
    assert indexes.names(db_path) == {}


def test_building_again_takes_all_rows_in(library: Path, open_table: OpenTable) -> None:
    app.add(library, [book(6, "Crows"), book(7, "Jays")])
    indexes.build(library)
    table = open_table("books")
    found = [table.index_stats(index.name) for index in table.list_indices()]
    assert [statistics.num_indexed_rows for statistics in found if statistics] == [7, 7]
    assert [statistics.num_unindexed_rows for statistics in found if statistics] == [0, 0]
    assert app.by_words(library, "crow") == ["Crows"]


def test_words_are_found_in_any_form(library: Path) -> None:
    assert app.by_words(library, "RAVEN walks") == app.by_words(library, "raven walk")
    assert sorted(app.by_words(library, "raven")) == ["Ravens", "The raven's nest"]
    assert app.by_words(library, "raven", limit=1) == ["Ravens"]
    assert app.by_words(library, "parrot") == []


def test_common_words_count(library: Path) -> None:
    assert app.by_words(library, "it") == ["It"]
    assert sorted(app.by_words(library, "the")) == ["The raven's nest", "Walking the dog"]


def test_words_are_no_syntax(library: Path) -> None:
    assert sorted(app.by_words(library, '"dog walk"')) == ['A "short" walk', "Walking the dog"]
    assert app.by_words(library, "author:lee") == []
    assert app.by_words(library, "nest)") == ["The raven's nest"]
    for words in ("", " ", "'", '"', "(", "?!"):
        assert app.by_words(library, words) == []


def test_up_to_ten_titles_come_back(library: Path) -> None:
    app.add(library, [book(20 + n, f"Parrot {n}") for n in range(15)])
    assert len(app.by_words(library, "parrot")) == 10
    assert len(app.by_words(library, "parrot", limit=14)) == 14


def test_likeness_is_by_cosine(library: Path) -> None:
    assert app.like(library, "Ravens") == ["The raven's nest", "It", "Walking the dog"]
    assert app.like(library, 'A "short" walk', limit=1) == ["Walking the dog"]
    assert app.like(library, "The raven's nest", 2) == ["Ravens", "It"]


def test_the_book_itself_is_left_out_by_its_id(library: Path) -> None:
    app.add(library, [book(0, "Ravens", about=(0.0, 0.0, 1.0, 0.0)), book(8, "Ravens")])
    assert app.like(library, "Ravens", 9).count("Ravens") == 2
    assert len(app.like(library, "Ravens", 9)) == 6
    assert app.like(library, "It", 3)[0] != "It"


def test_of_one_title_the_smallest_id_is_meant(library: Path) -> None:
    app.add(library, [book(0, "It", about=(0.0, 0.0, 0.0, 1.0))])
    app.add(library, [book(9, "Far out", about=(0.0, 0.0, 0.1, 2.0))])
    assert app.like(library, "It", 1) == ["Far out"]


def test_likeness_among_the_books_of_an_author(library: Path) -> None:
    app.add(library, [book(30 + n, f"Parrot {n}", "Crowd") for n in range(12)])
    assert app.like(library, "Ravens", author="Lee") == ["Walking the dog", 'A "short" walk']
    assert app.like(library, "Ravens", author="O'Brien") == ["The raven's nest"]
    assert app.like(library, "Ravens", author="x' OR '1'='1") == []
    assert app.like(library, "Ravens", author="Poe") == []


def test_likeness_to_an_unknown_book(library: Path) -> None:
    for title in ("Unknown", "x' OR '1'='1"):
        with pytest.raises(LookupError):
            app.like(library, title)


def test_authors_are_counted_in_order(library: Path) -> None:
    assert list(app.authors(library).items()) == [
        ("Lee", 2),
        ("King", 1),
        ("O'Brien", 1),
        ("Poe", 1),
    ]
    app.add(library, [book(40 + n, "Twins", "Zed") for n in range(20)])
    assert app.authors(library)["Zed"] == 20
    assert next(iter(app.authors(library))) == "Zed"
    assert app.authors(library.parent / "empty") == {}


def test_undo_writes_a_new_version(db_path: Path, rows: Rows, open_table: OpenTable) -> None:
    two = app.add(db_path, BOOKS[:2])
    five = app.add(db_path, BOOKS[2:])
    assert app.undo(db_path, two) == 2
    assert sorted(row["id"] for row in rows("books")) == [1, 4]
    assert open_table("books").version > five
    assert app.undo(db_path, five) == 5
    assert len(rows("books")) == 5


def test_undo_of_an_unknown_version(library: Path, rows: Rows) -> None:
    with pytest.raises(ValueError):
        app.undo(library, 999)
    assert len(rows("books")) == 5


def test_export_is_by_id_and_year(library: Path) -> None:
    assert [row["id"] for row in app.export(library)] == [1, 2, 3, 4, 5]
    assert app.export(library, 1999) == [
        {"id": 2, "title": 'A "short" walk', "author": "Lee", "year": 1999},
        {"id": 3, "title": "Walking the dog", "author": "Lee", "year": 2005},
    ]
    app.add(library, [book(100 - n, "Many", year=2010) for n in range(30)])
    assert [row["id"] for row in app.export(library, 2010)] == list(range(71, 101))
