"""The stock of several places in one SQLite file, by SQLAlchemy 2 (2.1.8 is installed).

All functions take the file as `path` and work on its table `stock` with the columns place and sku
(text, together the primary key) and quantity (integer). File and table are created where missing.
There is a row only where the quantity is above 0. No function leaves a connection open, and nothing
is kept in memory between two calls: other programs write to the same file.

This file is imported as part of a package: import further modules of your own relatively.
"""

from collections.abc import Sequence
from pathlib import Path


def receive(path: Path, deliveries: Sequence[tuple[str, str, int]]) -> int:
    """Add deliveries (place, sku, quantity) to the stock; returns the sum of their quantities.

    A place and sku may occur in several deliveries of one call, and may have stock already: all
    quantities are added up. ValueError if a quantity is below 1; then nothing is added at all.
    An empty sequence is allowed.
    """
    raise NotImplementedError


def transfer(path: Path, sku: str, quantity: int, source: str, target: str) -> None:
    """Move some of `sku` from the place `source` to the place `target`.

    ValueError if quantity is below 1 or both places are the same; LookupError if `source` has
    fewer than `quantity` (or none). In these cases nothing changes.
    """
    raise NotImplementedError


def quantities(path: Path, sku: str) -> dict[str, int]:
    """How many of `sku` there are, by place, in the order of the places' names."""
    raise NotImplementedError


def forget(path: Path, place: str) -> dict[str, int]:
    """Remove all stock of a place; returns what it had, by sku, in the order of the skus."""
    raise NotImplementedError
