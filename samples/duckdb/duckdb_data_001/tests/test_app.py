"""Sales are loaded, corrected and exported; a file that does not fit changes nothing."""

from datetime import date

import duckdb
import pytest
from expected import app

HEAD = "till;number;day;article;price\n"
MORNING = HEAD + "1;1;31.12.2025;0042;1234,50\n2;1;01.01.2026;7e3;0,05\n1;2;31.12.2025;tea;-3,00\n"
ALL = "SELECT * FROM sales ORDER BY till, number"
LAST, FIRST = date(2025, 12, 31), date(2026, 1, 1)


@pytest.fixture
def load(database, tmp_path):
    def write_and_load(text, name="till.csv"):
        csv = tmp_path / name
        csv.write_text(text, encoding="utf-8")
        return app.load(database, csv)

    return write_and_load


def test_a_file_is_loaded(load, query):
    assert load(MORNING) == {"new": 3, "replaced": 0}
    assert query(ALL) == [
        (1, 1, LAST, "0042", 123450), (1, 2, LAST, "tea", -300), (2, 1, FIRST, "7e3", 5),
    ]


def test_the_table_has_the_stated_columns(load, query):
    load(MORNING)
    columns = "SELECT column_name, data_type, is_nullable FROM duckdb_columns()"
    assert query(columns + " WHERE table_name = 'sales' ORDER BY column_index") == [
        ("till", "INTEGER", False), ("number", "INTEGER", False), ("day", "DATE", False),
        ("article", "VARCHAR", False), ("cents", "BIGINT", False),
    ]


def test_articles_that_all_look_like_numbers_are_texts(load, query):
    load(HEAD + "1;1;01.02.2026;7e3;1,00\n1;2;01.02.2026;1200;1,00\n")
    assert query("SELECT day, article FROM sales ORDER BY number") == [
        (date(2026, 2, 1), "7e3"), (date(2026, 2, 1), "1200"),
    ]


def test_fields_are_quoted(load, query):
    assert load(HEAD + '1;1;01.01.2026;"a; ""b""";1,00\n1;2;01.01.2026;käse;1,00\n')["new"] == 2
    assert query("SELECT article FROM sales ORDER BY number") == [('a; "b"',), ("käse",)]


def test_a_sale_that_is_known_is_replaced(load, query):
    load(MORNING)
    text = HEAD + "1;2;30.12.2025;tee;4,00\n1;3;31.12.2025;ice;2,50\n"
    assert load(text) == {"new": 1, "replaced": 1}
    assert query(ALL)[1:3] == [(1, 2, date(2025, 12, 30), "tee", 400), (1, 3, LAST, "ice", 250)]
    assert query("SELECT count(*) FROM sales") == [(4,)]


def test_the_last_line_of_a_sale_counts(load, query):
    load(MORNING)
    twice = "".join(
        f"{till};1;01.01.2026;x{line};{line},00\n" for line in range(9) for till in (1, 3)
    )
    assert load(HEAD + twice) == {"new": 1, "replaced": 1}
    assert query("SELECT till, article, cents FROM sales WHERE number = 1 ORDER BY till") == [
        (1, "x8", 800), (2, "7e3", 5), (3, "x8", 800),
    ]


@pytest.mark.parametrize(
    "line",
    ["1;9;01.01.2026;tea", "1;9;01.01.2026;tea;1,00;x", "1;9;2026-01-01;tea;1,00",
     "1;9;30.02.2026;tea;1,00", "1;9;01.01.2026;tea;1.00", "1;9;01.01.2026;tea;1,0",
     "1;9;01.01.2026;tea;free", ";9;01.01.2026;tea;1,00", "1;9;01.01.2026;;1,00",
     "1;9;01.01.2026;tea;", "1;9;;tea;1,00", "x;9;01.01.2026;tea;1,00"],
    ids=["few", "many", "iso", "february", "point", "digit", "word", "till", "article", "price",
         "day", "number"],
)
def test_a_file_with_a_wrong_line_changes_nothing(load, query, line):
    load(MORNING)
    with pytest.raises(duckdb.Error):
        load(f"{HEAD}1;1;31.12.2025;new;1,00\n{line}\n1;8;31.12.2025;new;1,00\n")
    assert query("SELECT count(*), sum(cents) FROM sales") == [(3, 123155)]


def test_the_name_of_a_file_is_no_pattern(load, query):
    load(HEAD + "1;1;01.01.2026;other;1,00\n", "b1.csv")
    assert load(HEAD + "1;2;01.01.2026;own;1,00\n", "b*.csv") == {"new": 1, "replaced": 0}
    assert load(HEAD + "1;3;01.01.2026;it's;1,00\n", "it's [1].csv") == {"new": 1, "replaced": 0}


def test_an_empty_file_has_no_sales(load, query):
    assert load(HEAD) == {"new": 0, "replaced": 0}
    assert query(ALL) == []


def test_a_sale_is_corrected(load, database, query):
    load(MORNING)
    assert app.correct(database, 1, 2, 77) == -300
    assert app.correct(database, 1, 2, 78) == 77
    assert [cents for *_, cents in query(ALL)] == [123450, 78, 5]
    for till, number in ((2, 2), (3, 1)):
        with pytest.raises(LookupError):
            app.correct(database, till, number, 1)


def test_a_new_file_has_nothing_to_correct(database):
    with pytest.raises(LookupError):
        app.correct(database, 1, 1, 1)


def test_each_day_is_exported(load, database, tmp_path):
    load(MORNING + "1;7;02.01.2026;nut;1,00\n0;7;01.01.2026;ice;2,00\n1;9;30.12.2025;ale;1,00\n")
    folder = tmp_path / "it's out"
    folder.mkdir()
    (folder / "2025-12-31.parquet").write_text("old")
    (folder / "2025-12-30.parquet").write_text("other")
    names = app.export(database, folder, LAST, FIRST)
    assert names == ["2025-12-31.parquet", "2026-01-01.parquet"]
    read = "SELECT * FROM read_parquet(?)"
    with duckdb.connect() as own:
        december = own.execute(read, [str(folder / names[0])]).fetchall()
        january = own.execute(read, [str(folder / names[1])])
        assert [column[0] for column in january.description] == [
            "till", "number", "article", "cents",
        ]
        assert january.fetchall() == [(0, 7, "ice", 200), (2, 1, "7e3", 5)]
    assert december == [(1, 1, "0042", 123450), (1, 2, "tea", -300)]
    assert (folder / "2025-12-30.parquet").read_text() == "other"
    assert len(list(folder.iterdir())) == 3


def test_days_without_sales_have_no_file(load, database, tmp_path):
    load(HEAD)
    assert app.export(database, tmp_path, LAST, FIRST) == []
    assert list(tmp_path.glob("*.parquet")) == []
