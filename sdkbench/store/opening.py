"""open_store: the one way in."""

from pathlib import Path
from typing import TYPE_CHECKING

from sdkbench.store.location import default_store, locate

if TYPE_CHECKING:
    from sdkbench.store.database import Store

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
