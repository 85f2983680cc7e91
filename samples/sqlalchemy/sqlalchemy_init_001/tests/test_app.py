"""The file has the stated tables and rules, for this module and for everybody else."""

import sqlite3

import pytest
from expected import app

ALL = "SELECT title, isbn, pages, name FROM books JOIN authors ON authors.id = author_id ORDER BY 1"


@pytest.fixture
def library(database):
    app.create_database(database)
    return database


def test_the_tables_have_the_stated_columns(library, rows):
    columns = "SELECT name, lower(type), \"notnull\" OR pk, pk FROM pragma_table_info(?)"
    authors = {(name, null, pk) for name, _, null, pk in rows(columns, "authors")}
    assert authors == {("id", 1, 1), ("name", 1, 0)}
    books = {(name, null, pk) for name, _, null, pk in rows(columns, "books")}
    assert books == {
        ("id", 1, 1), ("title", 1, 0), ("isbn", 0, 0), ("pages", 1, 0), ("author_id", 1, 0),
    }


def test_an_index_leads_to_the_books_of_an_author(library, rows):
    plan = rows("EXPLAIN QUERY PLAN SELECT title FROM books WHERE author_id = 1")
    assert "SEARCH books USING INDEX" in plan[0][3]


def test_a_book_is_stored_with_its_author(library, rows):
    assert app.add_book(library, "Le Guin", "The Dispossessed", "0-06", 341) == 1
    assert app.add_book(library, "Le Guin", "Tehanu") == 2
    assert rows(ALL) == [
        ("Tehanu", None, 0, "Le Guin"), ("The Dispossessed", "0-06", 341, "Le Guin"),
    ]
    assert rows("SELECT id, name FROM authors") == [(1, "Le Guin")]


def test_creating_again_keeps_what_is_there(library, rows):
    app.add_book(library, "Borges", "Ficciones")
    app.create_database(library)
    assert rows(ALL) == [("Ficciones", None, 0, "Borges")]


def test_a_refused_book_leaves_nothing_behind(library, rows):
    app.add_book(library, "Borges", "Ficciones", "isbn-1")
    with pytest.raises(ValueError):
        app.add_book(library, "Somebody", "Copy", "isbn-1")
    with pytest.raises(ValueError):
        app.add_book(library, "Somebody", "Odd", pages=-1)
    assert rows(ALL) == [("Ficciones", "isbn-1", 0, "Borges")]
    assert rows("SELECT name FROM authors") == [("Borges",)]


def test_removing_an_author_removes_the_books(library, rows):
    app.add_book(library, "Borges", "Ficciones")
    app.add_book(library, "Le Guin", "Tehanu")
    assert app.remove_author(library, "Borges") is True
    assert app.remove_author(library, "Borges") is False
    assert rows(ALL) == [("Tehanu", None, 0, "Le Guin")]
    assert rows("SELECT count(*) FROM books") == [(1,)]


def test_the_rules_hold_for_other_programs(library, rows, execute):
    execute("INSERT INTO authors (name) VALUES ('Lem')")
    execute("INSERT INTO books (title, author_id) VALUES ('Solaris', 1)")
    assert rows(ALL) == [("Solaris", None, 0, "Lem")]
    for refused in (
        "INSERT INTO authors (name) VALUES ('Lem')",
        "INSERT INTO authors (name) VALUES (NULL)",
        "INSERT INTO books (title, author_id) VALUES (NULL, 1)",
        "INSERT INTO books (title, author_id) VALUES ('Orphan', 2)",
        "INSERT INTO books (title, author_id) VALUES ('Alone', NULL)",
        "INSERT INTO books (title, author_id, pages) VALUES ('Less', 1, -1)",
        "INSERT INTO books (title, author_id, pages) VALUES ('None', 1, NULL)",
        "INSERT INTO books (title, author_id, isbn) VALUES ('a', 1, 'x'), ('b', 1, 'x')",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            execute(refused)
    execute("DELETE FROM authors WHERE name = 'Lem'")
    assert rows("SELECT count(*) FROM books") == [(0,)]


def test_pages_may_be_zero_and_isbns_missing(library, rows, execute):
    app.add_book(library, "Lem", "Eden", pages=0)
    execute("INSERT INTO books (title, author_id, pages) VALUES ('Fiasco', 1, 0)")
    assert rows(ALL) == [("Eden", None, 0, "Lem"), ("Fiasco", None, 0, "Lem")]
