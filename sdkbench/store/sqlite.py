"""A SQLite file as an engine: WAL, full syncs, several processes and threads at once."""

import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from sdkbench.errors import StoreError, StoreFault
from sdkbench.store.failures import READ_ONLY, primary_code
from sdkbench.store.location import SqliteFile

MAGIC = b"SQLite format 3\0"
WAL_POLL_SECONDS = 0.02
UNREADABLE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})


def open_sqlite(location: SqliteFile, *, write: bool, wait_seconds: float) -> Engine:
    """StoreError, before SQLite sees it, for a file that is something else: SQLite takes one of a
    single byte for empty, and writes over it.
    """
    path = location.path.absolute()
    _refuse_others(path, location.shown, write=write)
    if write:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreFault(
                f"{location.shown} can't be made: {error.strerror}. Name another store."
            ) from error
        if not all(os.access(each, os.W_OK) for each in (path.parent, path) if each.exists()):
            raise StoreFault(READ_ONLY.format(shown=location.shown))
        return _engine(path, "mode=rwc", wait_seconds)
    engine = _engine(path, "mode=rw", wait_seconds)
    if _needs_writing_to_be_read(engine) and not _has_journal(path):
        engine.dispose()
        return _engine(path, "mode=ro&immutable=1", wait_seconds)
    return engine


def use_wal(engine: Engine, wait_seconds: float) -> None:
    """Readers then never wait for a writer. The switch itself doesn't wait for others: we do."""
    deadline = time.monotonic() + wait_seconds
    while True:
        raw = engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        else:
            return
        finally:
            raw.close()
        time.sleep(WAL_POLL_SECONDS)


def _engine(path: Path, parameters: str, wait_seconds: float) -> Engine:
    uri = f"file:{quote(str(path))}?{parameters}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=wait_seconds, isolation_level=None, check_same_thread=False
        )
        # FULL: in WAL mode anything less may lose the last transactions in a power cut.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, max_overflow=-1)
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: one that had read first could not wait for it any more.
    writes = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _refuse_others(path: Path, shown: str, *, write: bool) -> None:
    try:
        if not path.exists():
            if not write:
                raise StoreError(
                    f"There is no store at {shown}. Name one with --store or SDKBENCH_STORE."
                )
            return
        if not path.is_file():
            raise StoreError(f"{shown} is not a file. Name the store's own file.")
        with path.open("rb") as stream:
            head = stream.read(len(MAGIC))
    except OSError as error:
        raise StoreFault(
            f"{shown} can't be read: {error.strerror}. Check the path and its rights."
        ) from error
    if head and head != MAGIC:
        raise StoreError(f"{shown} is not a SQLite database. Name the store's own file.")


def _needs_writing_to_be_read(engine: Engine) -> bool:
    """A WAL database wants its index file beside it, which a read-only folder does not allow."""
    try:
        raw = engine.raw_connection()
    except sqlite3.OperationalError as error:
        return primary_code(error) in UNREADABLE
    try:
        raw.cursor().execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return primary_code(error) in UNREADABLE
    finally:
        raw.close()
    return False


def _has_journal(path: Path) -> bool:
    """Whether there are transactions that are not in the file itself yet."""
    file = path.resolve()  # SQLite keeps it beside the file itself, not beside a link to it
    journal = file.with_name(file.name + "-wal")
    return journal.exists() and journal.stat().st_size > 0
