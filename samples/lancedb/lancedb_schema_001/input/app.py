"""Upgrade the table `products` of a LanceDB database from any of its former layouts.

| column      | layout 1 | layout 2 | layout 3 |
|-------------|----------|----------|----------|
| id          | int64    | int64    | int64    |
| name        | string   |          |          |
| title       |          | string   | string   |
| cents       | int32    | int64    | int64    |
| legacy_code | string   | string   |          |
| price       |          |          | float64  |
| note        |          |          | string   |

From 1 to 2: `name` is renamed to `title`, `cents` gets the wider type.
From 2 to 3: `price` is cents / 100 as a fraction (1999 cents are 19.99; null where cents is null),
`note` is new and null in every row, `legacy_code` goes.

A table may have further columns of the customer's own; they stay as they are. The order of columns
does not matter, nor whether a column may be null. A table belongs to a layout if it has all columns
of that layout with their types, and none of the others that the table above names.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from pathlib import Path

TABLE = "products"
LATEST = 3


def layout(path: str | Path) -> int:
    """The number of the layout that the table has.

    LookupError if the folder or the table does not exist (neither is created); ValueError if the
    table belongs to none of the layouts.
    """
    raise NotImplementedError


def upgrade(path: str | Path, to: int = LATEST) -> list[int]:
    """Bring the table to layout `to`; returns the layouts it went through on the way, `to` last.

    The table is changed in place: its rows, values and earlier versions stay. A table that is there
    already gives an empty list, and nothing is written: its version number stays the same.

    Raises what `layout` raises, and ValueError if `to` is no layout or older than the table's; then
    the table is left as it is.
    """
    raise NotImplementedError
