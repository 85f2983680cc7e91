"""A PostgreSQL database as an engine; its driver is an extra."""

from typing import Protocol

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import ArgumentError

from sdkbench.errors import MissingTool, StoreError
from sdkbench.store.location import PostgresUrl

CONNECT_SECONDS = 10


class _Cursor(Protocol):
    def execute(self, query: str) -> object: ...


class _Connection(Protocol):
    def cursor(self) -> _Cursor: ...

    def commit(self) -> None: ...


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
    def _patience(connection: _Connection, _record: object) -> None:
        connection.cursor().execute(f"SET lock_timeout = {int(wait_seconds * 1000)}")
        connection.commit()

    return engine
