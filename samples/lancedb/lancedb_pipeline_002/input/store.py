"""The tables of the news desk.

`stories` has exactly the columns id (string), text (string), first, last and copies (int64) and
vector (fixed-size list of DIMENSION float32: `embed` of the text). `batches` has exactly the
columns batch (string), kept and merged (int64).
"""

from pathlib import Path

from lancedb.table import Table


def stories(path: str | Path) -> Table:
    """The table `stories`; it and the folder are made where missing."""
    raise NotImplementedError


def batches(path: str | Path) -> Table:
    """The table `batches`; it and the folder are made where missing."""
    raise NotImplementedError
