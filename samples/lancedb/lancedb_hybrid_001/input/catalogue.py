"""The products of a shop in LanceDB, and their indexes.

The table `products` has exactly the columns id, name, category (string), cents (int64) and vector
(fixed-size list of DIMENSION float32: `embed` of the name). `name` has a full-text index with
LanceDB's default settings. Any text may stand in ids, names and categories, quotes included; a name
has at least two letters.
"""

from pathlib import Path

from lancedb.table import Table

TABLE = "products"


def open_products(path: str | Path) -> Table:
    """The table, which is made with its full-text index where it is missing, as is the folder."""
    raise NotImplementedError
