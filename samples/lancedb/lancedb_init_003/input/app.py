"""A memory of chat messages on LanceDB's asynchronous client.

The database folder `path` holds the table `messages` with exactly the columns user (string), at
(int64: when, in seconds), text (string) and vector (fixed-size list of four float32). Any text may
stand in `user` and `text`, quotes included. `remember` creates the folder and the table where they
are missing; for the other functions a missing folder or table is the same as an empty one, and they
create nothing.

All functions are coroutines and use `lancedb.connect_async`, not the blocking client.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

TABLE = "messages"


async def remember(path: str | Path, messages: Iterable[Mapping[str, Any]]) -> int:
    """Store messages (user, at, text, vector); returns how many the table holds afterwards.

    There may be none. If one of them has a vector that is not of four numbers, ValueError is raised
    and none is stored.
    """
    raise NotImplementedError


async def recent(path: str | Path, user: str, limit: int = 10) -> list[str]:
    """The texts of the latest messages of a user, the latest first; at most `limit`."""
    raise NotImplementedError


async def recall(path: str | Path, user: str, vector: Sequence[float], k: int = 3) -> list[str]:
    """The texts of the `k` messages of a user whose vectors are nearest by cosine, nearest first.

    Only fewer if the user has fewer messages, however near those of others are.
    """
    raise NotImplementedError


async def counts(path: str | Path, users: Sequence[str]) -> dict[str, int]:
    """How many messages each of these users has; 0 for unknown ones."""
    raise NotImplementedError


async def forget(path: str | Path, user: str) -> int:
    """Remove all messages of a user; returns how many there were."""
    raise NotImplementedError
