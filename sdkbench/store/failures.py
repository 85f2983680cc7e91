"""What a database complains of, as a sentence with what to do next."""

import contextlib
import sqlite3
from collections.abc import Iterator

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sdkbench.errors import SdkbenchError, StoreError, StoreFault
from sdkbench.store.location import Location, PostgresUrl

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
