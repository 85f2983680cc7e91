"""Releases of a price list, kept as tagged versions of one LanceDB table.

The database folder `path` holds the table `prices` with exactly the columns sku (string) and cents
(int64). A release is a LanceDB tag on a version of that table; its name is the tag. What the table
holds now are the current prices. Unless a function says otherwise, a missing folder or table is the
same as one without releases, and is not created.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

TABLE = "prices"


def publish(path: str | Path, name: str, prices: Mapping[str, int]) -> int:
    """Make `prices` (sku to cents) the current prices and tag that state as the release `name`.

    The table then holds these skus and no others; folder and table are created where missing.
    `prices` may be empty. Returns the version number that the tag stands on.

    Raises ValueError if there is a release of that name, and leaves the current prices alone.
    """
    raise NotImplementedError


def releases(path: str | Path) -> list[str]:
    """The names of all releases, the oldest version first."""
    raise NotImplementedError


def prices_at(path: str | Path, name: str) -> dict[str, int]:
    """The prices of a release, whatever was published since. LookupError if there is none."""
    raise NotImplementedError


def changes(path: str | Path, old: str, new: str) -> dict[str, Any]:
    """What differs between two releases: {"added": [...], "removed": [...], "changed": {...}}.

    Both lists hold skus, sorted; `changed` leads from a sku to [old cents, new cents].
    LookupError if one of the releases does not exist.
    """
    raise NotImplementedError


def roll_back(path: str | Path, name: str) -> int:
    """Make the prices of a release the current ones again; returns the table's new version number.

    All releases stay, later ones too. LookupError if there is no such release.
    """
    raise NotImplementedError


def forget(path: str | Path, name: str) -> bool:
    """Remove a release, not the prices; whether there was one."""
    raise NotImplementedError
