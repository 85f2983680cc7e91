"""Deliveries are stored in order, each whole or not at all; bad rows are on record."""

import duckdb
import pytest
from expected import app

HEAD = "article;name;change\n"
MOVED = "SELECT delivery, line, article, name, change FROM movements ORDER BY delivery, line"
REJECTED = "SELECT delivery, line, text, reason FROM rejected ORDER BY delivery, line"


@pytest.fixture
def inbox(tmp_path):
    folder = tmp_path / "inbox"
    folder.mkdir()
    return folder


@pytest.fixture
def deliver(inbox):
    """Puts a file into the folder, with the header before its rows."""

    def run(name, *rows):
        (inbox / name).write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")

    return run


@pytest.fixture
def load(database, inbox):
    return lambda: app.load(database, inbox)


def test_deliveries_are_stored(deliver, load, query):
    deliver("1.csv", "a1;nut;5", "b2;käse;+2")
    deliver("2.csv", "a1;big nut;-3", "c3;fig;1")
    assert load() == {"loaded": [1, 2], "refused": None, "waiting": []}
    assert query(MOVED) == [
        (1, 2, "a1", "nut", 5), (1, 3, "b2", "käse", 2), (2, 2, "a1", "big nut", -3),
        (2, 3, "c3", "fig", 1),
    ]
    assert query("SELECT number, accepted, rejected FROM deliveries ORDER BY ALL") == [
        (1, 2, 0), (2, 2, 0),
    ]


def test_the_file_is_on_record(deliver, load, query):
    deliver("1.csv", "a1;nut;5")
    load()
    assert query("SELECT sha256 FROM deliveries") == [
        ("dff295b368cd55761e5b28981884fb71032f7f53678fa3f31b5bcce3eee1a8f3",)
    ]


def test_the_stock(deliver, load, database, query):
    deliver("1.csv", "b;nut;5", "a;fig;2", "b;big nut;1")
    deliver("2.csv", "a;dry fig;-2", "b;nut;4")
    load()
    assert list(app.stock(database).items()) == [("a", ("dry fig", 0)), ("b", ("nut", 10))]
    assert query("SELECT article, name, pieces FROM stock ORDER BY article") == [
        ("a", "dry fig", 0), ("b", "nut", 10),
    ]


def test_a_new_file_is_empty(database, query):
    assert app.stock(database) == {}
    assert app.undo(database) is None
    assert query("SELECT count(*) FROM deliveries") == [(0,)]


def test_numbers_decide_on_the_order(deliver, load, query):
    for number in ("10", "0009", "8", "7", "6", "5", "4", "3", "2", "01"):
        deliver(f"{number}.csv", f"a;n{int(number)};{int(number)}")
    assert load()["loaded"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert query("SELECT name, pieces FROM stock") == [("n10", 55)]


def test_other_files_are_no_deliveries(deliver, inbox, load):
    for name in ("1.txt", "x1.csv", "1.csv.part", "-1.csv", "notes"):
        deliver(name, "a;nut;1")
    (inbox / "2").mkdir()
    assert load() == {"loaded": [], "refused": None, "waiting": []}


def test_a_delivery_waits_for_the_one_before(deliver, load, database):
    deliver("1.csv", "a;nut;1")
    deliver("3.csv", "a;nut;100")
    deliver("5.csv", "a;nut;1000")
    assert load() == {"loaded": [1], "refused": None, "waiting": [3, 5]}
    deliver("2.csv", "a;nut;10")
    assert load() == {"loaded": [2, 3], "refused": None, "waiting": [5]}
    assert app.stock(database) == {"a": ("nut", 111)}


def test_nothing_is_stored_twice(deliver, inbox, load, database):
    deliver("1.csv", "a;nut;1")
    deliver("2.csv", "a;nut;2")
    load()
    (inbox / "1.csv").unlink()
    assert load() == {"loaded": [], "refused": None, "waiting": []}
    assert app.stock(database) == {"a": ("nut", 3)}


def test_a_file_that_changed_is_refused(deliver, load, database):
    deliver("1.csv", "a;nut;1")
    deliver("2.csv", "a;nut;2")
    load()
    deliver("2.csv", "a;nut;3")
    deliver("1.csv", "a;nut;4")
    deliver("3.csv", "a;nut;5")
    assert load() == {"loaded": [], "refused": (1, "changed"), "waiting": [3]}
    assert app.stock(database) == {"a": ("nut", 3)}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a;nut", "wrong number of fields"),
        ("a;nut;1;", "wrong number of fields"),
        (" ;;x", "no article"),
        ("a; ;x", "no name"),
        ("a;nut;", "bad change"),
        ("a;nut;1.0", "bad change"),
        ("a;nut;- 1", "bad change"),
        ("a;nut;-0", "bad change"),
        ("a;nut;1234567890", "bad change"),
        ("b;nut;-1", "not enough"),
    ],
    ids=["two", "four", "article", "name", "empty", "fraction", "blank", "zero", "long", "few"],
)
def test_a_bad_row_is_rejected(deliver, load, query, row, reason):
    deliver("1.csv", "a;fig;1", row, "c;fig;999999999")
    assert load()["loaded"] == [1]
    assert query(REJECTED) == [(1, 3, row, reason)]
    assert query("SELECT accepted, rejected FROM deliveries") == [(2, 1)]
    assert query("SELECT article, pieces FROM stock ORDER BY ALL") == [("a", 1), ("c", 999999999)]


def test_lines_are_taken_apart(inbox, load, query):
    text = 'article;name;change\r\n\r\n a ; nut ;1\r\nb;"x; ""y""";2\n   \nc;z;x'
    (inbox / "1.csv").write_bytes(text.encode())
    assert load()["loaded"] == [1]
    assert query(MOVED) == [(1, 3, "a", "nut", 1), (1, 4, "b", 'x; "y"', 2)]
    assert query(REJECTED) == [(1, 6, "c;z;x", "bad change")]


def test_what_was_accepted_before_counts(deliver, load, query):
    deliver("1.csv", "a;n;3", "a;n;-2", "a;n;-2", "a;n;-1", "a;n;-1", "a;n;4")
    deliver("2.csv", "a;n;-5", "a;n;-4")
    load()
    assert query("SELECT delivery, line, reason FROM rejected ORDER BY ALL") == [
        (1, 4, "not enough"), (1, 6, "not enough"), (2, 2, "not enough"),
    ]
    assert query("SELECT pieces FROM stock") == [(0,)]


def test_more_than_half_is_too_many(deliver, load, query):
    deliver("1.csv", "a;n;1", "a;n;x")
    deliver("2.csv", "a;n;5", "a;n;x", "a;n;-9")
    deliver("3.csv", "a;n;1")
    assert load() == {"loaded": [1], "refused": (2, "too many rejected"), "waiting": [3]}
    assert query("SELECT max(delivery) FROM movements") == [(1,)]
    assert query("SELECT max(delivery) FROM rejected") == [(1,)]
    deliver("2.csv", "a;n;5")
    assert load() == {"loaded": [2, 3], "refused": None, "waiting": []}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "wrong header"),
        (b"a;n;1\n", "wrong header"),
        (b"article;name\na;n\n", "wrong header"),
        (b"article;name;change\na;k\xe4se;1\n", "not UTF-8"),
    ],
    ids=["empty", "missing", "short", "latin"],
)
def test_a_file_that_is_no_delivery(deliver, inbox, load, query, content, reason):
    deliver("1.csv", "a;n;1")
    (inbox / "2.csv").write_bytes(content)
    deliver("3.csv", "a;n;1")
    assert load() == {"loaded": [1], "refused": (2, reason), "waiting": [3]}
    assert query("SELECT number FROM deliveries") == [(1,)]


def test_a_delivery_may_be_empty(deliver, load, query):
    deliver("1.csv")
    assert load() == {"loaded": [1], "refused": None, "waiting": []}
    assert query("SELECT number, accepted, rejected FROM deliveries") == [(1, 0, 0)]


def test_what_the_database_refuses_is_not_there_at_all(deliver, load, query):
    query(
        "CREATE TABLE movements (delivery INTEGER, line INTEGER, article VARCHAR, name VARCHAR,"
        " change INTEGER CHECK (change < 100), PRIMARY KEY (delivery, line))"
    )
    deliver("1.csv", "a;n;1")
    deliver("2.csv", "a;n;2", "b;n;x", "c;n;100", "d;n;1")
    deliver("3.csv", "a;n;4")
    with pytest.raises(duckdb.Error, match="CHECK"):
        load()
    assert query(MOVED) == [(1, 2, "a", "n", 1)]
    assert query("SELECT number FROM deliveries") == [(1,)]
    assert query(REJECTED) == []
    deliver("2.csv", "a;n;2")
    assert load()["loaded"] == [2, 3]


def test_the_last_delivery_is_undone(deliver, load, database, query):
    deliver("1.csv", "a;n;1", "a;n;x")
    deliver("2.csv", "a;m;2", "b;n;5", "a;n;x")
    load()
    assert app.undo(database) == 2
    assert app.stock(database) == {"a": ("n", 1)}
    assert query("SELECT delivery FROM rejected") == [(1,)]
    assert load() == {"loaded": [2], "refused": None, "waiting": []}
    assert app.stock(database) == {"a": ("m", 3), "b": ("n", 5)}
    assert (app.undo(database), app.undo(database), app.undo(database)) == (2, 1, None)
    assert query("SELECT count(*) FROM rejected") == [(0,)]
