"""Migrations: to today's tables, all or nothing, and never onto what is not ours."""

from pathlib import Path

import pytest
from sqlalchemy import TableClause, inspect
from sqlalchemy.exc import DBAPIError

from sdkbench.errors import StoreError
from sdkbench.store import database, open_store, tables
from sdkbench.store.migrations import (
    MIGRATIONS,
    TABLE,
    Migration,
    known_version,
    migrate,
    stored_version,
)

NEXT = known_version(MIGRATIONS) + 1


def test_the_tables_are_what_the_migrations_leave(store_url: str) -> None:
    with open_store(store_url) as store:
        found = inspect(store._engine)
        ours = {each.name: each for each in vars(tables).values() if isinstance(each, TableClause)}
        assert set(found.get_table_names()) == {*ours, TABLE}
        for name, table in ours.items():
            columns = [each["name"] for each in found.get_columns(name)]
            assert columns == [column.name for column in table.c]


def test_steps_are_numbered_without_a_gap() -> None:
    assert [each.version for each in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_a_step_more_is_applied_once_and_keeps_what_is_there(store_url: str) -> None:
    more = (*MIGRATIONS, Migration(NEXT, ("ALTER TABLE runs ADD COLUMN colour TEXT",)))
    with open_store(store_url) as store:
        run = store.start_run()
        for _ in range(2):
            with store._writer.begin() as connection:
                migrate(connection, more, store.shown)
        with store._reading() as connection:
            assert stored_version(connection, store.shown) == NEXT
            row = connection.exec_driver_sql("SELECT id, colour FROM runs").one()
        assert tuple(row) == (run.id, None)


def test_a_step_that_fails_leaves_no_half_of_it(store_url: str) -> None:
    broken = ("ALTER TABLE runs ADD COLUMN colour TEXT", "ALTER TABLE nothing ADD COLUMN x TEXT")
    with open_store(store_url) as store:
        with pytest.raises(DBAPIError), store._writer.begin() as connection:
            migrate(connection, (*MIGRATIONS, Migration(NEXT, broken)), store.shown)
        with store._reading() as connection:
            assert stored_version(connection, store.shown) == known_version(MIGRATIONS)
            assert "colour" not in {
                each["name"] for each in inspect(connection).get_columns("runs")
            }


@pytest.mark.parametrize("write", [True, False])
def test_a_newer_schema_is_refused_and_left_as_it_is(store_url: str, *, write: bool) -> None:
    with open_store(store_url) as store:
        store.start_run()
        with store._writing() as connection:
            connection.exec_driver_sql("INSERT INTO sdkbench_schema (version) VALUES (99)")
            connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN colour TEXT")
    with pytest.raises(StoreError, match=r"newer SDKBench \(schema 99.*Upgrade") as caught:
        open_store(store_url, write=write)
    assert caught.value.exit_code == 2


def test_an_older_schema_is_migrated_by_a_writer_only(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
    more = (*MIGRATIONS, Migration(NEXT, ("CREATE TABLE colours (name TEXT)",)))
    monkeypatch.setattr(database, "MIGRATIONS", more)
    with pytest.raises(StoreError, match="older schema"):
        open_store(store_url, write=False)
    with open_store(store_url) as store:
        assert store.runs() == [run]
    with open_store(store_url, write=False) as store:
        assert "colours" in inspect(store._engine).get_table_names()


def test_a_database_of_something_else_is_refused_and_left_as_it_is(store_url: str) -> None:
    with open_store(store_url) as store, store._writing() as connection:
        connection.exec_driver_sql("ALTER TABLE sdkbench_schema RENAME TO things")
    with pytest.raises(StoreError, match="something else"):
        open_store(store_url)
    if not store_url.startswith("postgresql"):
        before = Path(store_url).read_bytes()
        with pytest.raises(StoreError, match="something else"):
            open_store(store_url, write=False)
        assert Path(store_url).read_bytes() == before
