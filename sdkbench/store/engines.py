"""A SQLite file or a PostgreSQL database as an engine, and what either complains of, in words."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from sdkbench.errors import MissingTool, SdkbenchError, StoreError, StoreFault
from sdkbench.store.location import Location, PostgresUrl, SqliteFile

FULL = "{shown} can't take more: the disk is full. What was stored is safe; make room and go on."
READ_ONLY = "{shown} can't be written: it is read-only. Name another store, or change its rights."
LOCKED = "{shown} is locked by another process. Wait until that one is done, and try again."
# By SQLite's primary result codes.
SQLITE: dict[int, tuple[type[SdkbenchError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreFault, LOCKED),
    sqlite3.SQLITE_LOCKED: (StoreFault, LOCKED),
    sqlite3.SQLITE_READONLY: (StoreFault, READ_ONLY),
    sqlite3.SQLITE_FULL: (StoreFault, FULL),
    sqlite3.SQLITE_CANTOPEN: (
        StoreFault,
        "{shown} can't be opened. Check that its folder exists and can be read and written.",
    ),
    sqlite3.SQLITE_NOTADB: (
        StoreError,
        "{shown} is not a SQLite database. Name the store's own file.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        StoreFault,
        "{shown} is damaged. Take it from a backup, or save what `sqlite3 FILE .recover` finds.",
    ),
}
# By SQLSTATE.
POSTGRES: dict[str, tuple[type[SdkbenchError], str]] = {
    "53100": (StoreFault, FULL),
    "25006": (StoreFault, READ_ONLY),
    "42501": (StoreFault, "{shown} can't be written: {why}. Ask for rights on that database."),
    "40001": (StoreFault, LOCKED),
    "40P01": (StoreFault, LOCKED),
    "55P03": (StoreFault, LOCKED),
    "57014": (StoreFault, LOCKED),
}
UNREACHABLE = "{shown} can't be reached: {why}. Check host, port, user and database."


@contextlib.contextmanager
def explained(location: Location) -> Iterator[None]:
    """Whatever the database raises in here comes out as StoreError or StoreFault."""
    try:
        yield
    except DBAPIError as error:
        raise explanation(error.orig or error, location) from error
    except (sqlite3.Error, SQLAlchemyError) as error:
        raise explanation(error, location) from error


def explanation(error: BaseException, location: Location) -> SdkbenchError:
    kind, sentence = _known(error, location)
    why = " ".join(str(error).split()).rstrip(".?")
    return kind(sentence.format(shown=location.shown, why=why))


def _known(error: BaseException, location: Location) -> tuple[type[SdkbenchError], str]:
    if isinstance(error, sqlite3.Error):
        code = primary_code(error)
        unknown = (StoreFault, "{shown} can't be used: {why}. Check the disk it is on.")
        return SQLITE.get(code, unknown)
    state = getattr(error, "sqlstate", None)
    if state in POSTGRES:
        return POSTGRES[state]
    if isinstance(location, PostgresUrl) and state is None:
        return StoreFault, UNREACHABLE
    return StoreFault, "{shown} can't be used: {why}. Check the database server's log."


def primary_code(error: sqlite3.Error) -> int:
    """The result code without its details, 0 where there is none."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else 0


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


CONNECT_SECONDS = 10


def open_postgres(location: PostgresUrl, *, wait_seconds: float) -> Engine:
    try:
        engine = create_engine(
            location.url,
            pool_pre_ping=True,  # a server that was restarted costs no attempt
            max_overflow=-1,
            # Said outright: from a database without an encoding the driver brings bytes.
            connect_args={"connect_timeout": CONNECT_SECONDS, "client_encoding": "utf8"},
        )
    except ImportError as error:
        raise MissingTool(
            "A PostgreSQL store needs a driver: pip install 'sdkbench[postgres]'."
        ) from error
    except (ArgumentError, ValueError) as error:
        raise StoreError(
            "The store's URL can't be read. Write postgresql://USER@HOST:PORT/DATABASE."
        ) from error

    @event.listens_for(engine, "connect")
    def _limit_waiting(connection: DBAPIConnection, _record: object) -> None:
        connection.cursor().execute(f"SET lock_timeout = {int(wait_seconds * 1000)}")
        connection.commit()

    return engine
