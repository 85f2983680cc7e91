"""Questions are answered, and nothing else: every other one gets the kind of what is wrong."""

import shutil

import duckdb
import pytest
from expected import app

TABLES = """
CREATE TABLE plants (id INTEGER, name VARCHAR, height DECIMAL(4,1), tags VARCHAR[]);
INSERT INTO plants VALUES (1, 'fern', 40.5, ['green']), (2, 'oak', 999.0, []), (3, '12', NULL, NULL);
CREATE VIEW tall AS SELECT name FROM plants WHERE height > 100;
CREATE SEQUENCE numbers;
CREATE SCHEMA other;
CREATE TABLE other.hidden (x INTEGER);
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """The file, made once, since that takes long."""
    path = tmp_path_factory.mktemp("planted") / "garden.duckdb"
    with duckdb.connect(path) as own:
        own.execute(TABLES)
    return path


@pytest.fixture
def garden(planted, database):
    shutil.copy(planted, database)
    return database


@pytest.fixture
def kind(garden):
    """The kind of what is wrong with a question, whose message is one line."""

    def run(sql, *rest, **options):
        answer = app.ask(garden, sql, *rest, **options)
        run.message = answer["message"]
        assert sorted(answer) == ["error", "message"]
        assert len(answer["message"].splitlines()) == 1
        return answer["error"]

    return run


def test_an_answer(garden):
    answer = app.ask(garden, "SELECT name, height AS cm FROM plants ORDER BY id")
    assert answer["columns"] == ["name", "cm"]
    assert [(name, height and float(height)) for name, height in answer["rows"]] == [
        ("fern", 40.5), ("oak", 999.0), ("12", None),
    ]
    assert answer["more"] is False


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("FROM tall", [("oak",)]),
        ("VALUES (1, 'a')", [(1, "a")]),
        ("with x as (select 7) from x", [(7,)]),
        ("  -- first\n/* ; */ (SELECT ';');  ", [(";",)]),
        ("SELECT tags FROM plants WHERE id < 3 ORDER BY id", [(["green"],), ([],)]),
    ],
    ids=["from", "values", "with", "comments", "lists"],
)
def test_forms_of_select(garden, sql, rows):
    assert app.ask(garden, sql)["rows"] == rows


def test_no_rows_are_an_answer(garden):
    assert app.ask(garden, "SELECT id FROM plants WHERE id > 3") == {
        "columns": ["id"], "rows": [], "more": False,
    }


def test_values_come_apart_from_the_question(garden):
    by_place = app.ask(garden, "SELECT name FROM plants WHERE id = ? OR name = ?", [1, "12"])
    assert sorted(by_place["rows"]) == [("12",), ("fern",)]
    by_name = app.ask(garden, "SELECT $a || $b || $a", {"a": "x' OR '", "b": "$c"})
    assert by_name["rows"] == [("x' OR '$cx' OR '",)]


@pytest.mark.parametrize(
    ("sql", "values"),
    [("SELECT ?", ()), ("SELECT ?", [1, 2]), ("SELECT 1", [1]), ("SELECT $a", {"b": 1}),
     ("SELECT $a", {"a": 1, "b": 2}), ("SELECT nope, ?", [])],
    ids=["none", "many", "superfluous", "other", "more", "first"],
)
def test_values_have_to_fit(kind, sql, values):
    assert kind(sql, values) == "values"


def test_rows_are_limited(garden):
    sql = "SELECT id FROM plants ORDER BY id"
    assert app.ask(garden, sql, limit=2) == {"columns": ["id"], "rows": [(1,), (2,)], "more": True}
    assert app.ask(garden, sql, limit=3)["more"] is False
    assert app.ask(garden, sql, limit=0) == {"columns": ["id"], "rows": [], "more": True}
    answer = app.ask(garden, "FROM range(250)")
    assert (len(answer["rows"]), answer["more"]) == (100, True)


def test_no_more_is_computed_than_needed(garden):
    answer = app.ask(garden, "SELECT range::VARCHAR FROM range(100_000_000_000)", limit=2)
    assert answer["rows"] == [("0",), ("1",)]
    assert answer["more"] is True


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT 'abc", "drop table", "SELECT 1; SELEC 2"],
                         ids=["word", "quote", "end", "second"])
def test_what_is_not_sql(kind, sql):
    assert kind(sql) == "syntax"


@pytest.mark.parametrize(
    "sql",
    [
        "", " -- nothing\n;", "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE plants",
        "DELETE FROM plants RETURNING id", "CREATE TEMP TABLE x (a INTEGER)", "SET threads = 1",
        "PRAGMA version", "ATTACH ':memory:' AS x", "COPY plants TO 'out.csv'", "EXPLAIN SELECT 1",
        "CALL pragma_version()", "EXPORT DATABASE 'x'", "BEGIN", "SELECT nope; SELECT 1",
    ],
    ids=["empty", "comment", "two", "dropped", "delete", "create", "set", "pragma", "attach",
         "copy", "explain", "call", "export", "begin", "unknown"],
)
def test_what_is_not_one_select(kind, garden, sql):
    assert kind(sql) == "refused"
    assert app.ask(garden, "SELECT count(*) FROM plants")["rows"] == [(3,)]


@pytest.mark.parametrize(
    "sql",
    ["WITH x AS (INSERT INTO plants (id) VALUES (4) RETURNING id) SELECT id FROM x",
     "SELECT nextval('numbers')"],
    ids=["insert", "sequence"],
)
def test_a_select_that_writes(kind, query, sql):
    assert kind(sql) == "failed"
    assert query("SELECT count(*), nextval('numbers') FROM plants") == [(3, 1)]


@pytest.mark.parametrize(
    "sql",
    ["FROM '{}'", "SELECT * FROM read_csv('{}')", "SELECT content FROM read_text('{}')",
     "SELECT (SELECT count(*) FROM glob('{}'))"],
    ids=["name", "csv", "text", "folder"],
)
def test_other_files_are_out_of_reach(kind, tmp_path, sql):
    secret = tmp_path / "secret.csv"
    secret.write_text("word\nabracadabra\n")
    assert kind(sql.format(secret)) == "refused"
    assert "abracadabra" not in kind.message


@pytest.mark.parametrize(
    ("sql", "name"),
    [("SELECT * FROM nope", "nope"), ("SELECT size FROM plants", "size"),
     ("SELECT nope(1)", "nope"), ("SELECT sum(name) FROM plants", "sum"),
     ("SELECT id FROM plants GROUP BY name", "id"), ("SELECT * FROM sql", "sql")],
    ids=["table", "column", "function", "type", "group", "variable"],
)
def test_unknown_names(kind, sql, name):
    assert kind(sql) == "unknown"
    assert name in kind.message


@pytest.mark.parametrize(
    "sql",
    ["SELECT 'x'::INTEGER", "SELECT name::INTEGER FROM plants",
     "SELECT 2147483647::INTEGER + 1::INTEGER", "SELECT CAST(id * 1000 AS TINYINT) FROM plants"],
    ids=["literal", "row", "overflow", "narrow"],
)
def test_values_that_cannot_be(kind, sql):
    assert kind(sql) == "data"


def test_rows_that_are_fetched_late_may_be_wrong(kind):
    sql = "SELECT CASE WHEN range < 50000 THEN 1 ELSE ('x' || range)::INTEGER END FROM range(50001)"
    assert kind(sql, limit=60_000) == "data"


def test_a_slow_question_is_interrupted(kind, garden):
    slow = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = -1"
    assert kind(slow, seconds=0.3) == "too slow"
    assert app.ask(garden, "SELECT 1", seconds=30)["rows"] == [(1,)]


def test_all_else_fails(kind):
    assert kind("SELECT error('no luck')") == "failed"
    assert "no luck" in kind.message


def test_a_file_that_cannot_be_opened(tmp_path):
    with pytest.raises(duckdb.Error):
        app.ask(tmp_path / "missing.duckdb", "SELECT 1")
    (tmp_path / "text").write_text("no database, " * 1000)
    with pytest.raises(duckdb.Error):
        app.describe(tmp_path / "text")


def test_tables_are_described(garden):
    assert list(app.describe(garden).items()) == [
        ("plants", [("id", "INTEGER"), ("name", "VARCHAR"), ("height", "DECIMAL(4,1)"),
                    ("tags", "VARCHAR[]")]),
        ("tall", [("name", "VARCHAR")]),
    ]
