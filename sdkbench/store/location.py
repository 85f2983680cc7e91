"""Where a store is, a SQLite file or a PostgreSQL database by its URL, and opening it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from sdkbench.errors import StoreError

if TYPE_CHECKING:
    from sdkbench.store.database import Store


DEFAULT = Path(".sdkbench") / "store.db"  # the project's data folder
POSTGRES = frozenset({"postgresql", "postgres", "postgresql+psycopg"})


class SqliteFile(NamedTuple):
    path: Path

    @property
    def shown(self) -> str:
        return str(self.path)


class PostgresUrl(NamedTuple):
    url: str

    @property
    def shown(self) -> str:
        """Without the password, and without options, which may hold one too."""
        parts = urlsplit(self.url)
        user = f"{parts.username}@" if parts.username else ""
        return f"postgresql://{user}{parts.netloc.rpartition('@')[2]}{parts.path}"


Location = SqliteFile | PostgresUrl


def default_store() -> str:
    """$SDKBENCH_STORE, else .sdkbench/store.db in the working folder."""
    return os.environ.get("SDKBENCH_STORE") or str(DEFAULT)


def locate(named: str | Path) -> Location:
    """A path, sqlite:///PATH or postgresql://…; StoreError for any other URL."""
    if isinstance(named, Path):
        return SqliteFile(named.expanduser())
    scheme, separator, rest = named.partition("://")
    if not separator:
        return SqliteFile(_path(named))
    if scheme == "sqlite":
        return SqliteFile(_path(unquote(rest.partition("?")[0].removeprefix("/"))))
    if scheme in POSTGRES:
        return PostgresUrl(f"postgresql+psycopg://{rest}")
    raise StoreError(
        f"No store can be reached by {scheme}://. Give the path of a SQLite file, sqlite:///PATH "
        "or postgresql://USER@HOST/DATABASE."
    )


def _path(text: str) -> Path:
    if not text or "\0" in text:
        raise StoreError("The store's path is empty. Give the path of a SQLite file.")
    return Path(text).expanduser()


WRITE_WAIT_SECONDS = 30.0  # for another process's transaction, which takes milliseconds
READ_WAIT_SECONDS = 5.0  # in WAL mode readers wait for nobody, but for a switch of the mode


def open_store(
    named: str | Path | None = None, *, write: bool = True, wait_seconds: float | None = None
) -> "Store":
    """The store at a path or URL (default: `default_store()`), of the schema of this version.

    With `write` it is made or migrated where that is needed; without, it must exist and is left
    as it is, so that one on a read-only disk can be read. Raises StoreError where there is no
    store of ours or one of a newer schema, StoreFault where it can't be used now, MissingTool
    where PostgreSQL's driver is not installed.
    """
    # SQLAlchemy adds over half to what a command takes to start: only those who use a store pay.
    from sdkbench.store.database import connect  # noqa: PLC0415

    if wait_seconds is None:
        wait_seconds = WRITE_WAIT_SECONDS if write else READ_WAIT_SECONDS
    return connect(locate(named or default_store()), write=write, wait_seconds=wait_seconds)
