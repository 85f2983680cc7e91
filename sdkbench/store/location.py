"""Where a store is: a SQLite file, or a PostgreSQL database by its URL."""

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sdkbench.errors import StoreError

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
