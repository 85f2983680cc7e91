"""The table of chunks.

`chunks` has exactly the columns doc (string), number (int64: 0, 1, 2… within the document), text
(string), labels (list of string) and vector (fixed-size list of DIMENSION float32: `embed` of the
text). Any text may stand in docs and labels, quotes included.
"""

from pathlib import Path

from lancedb.table import Table

TABLE = "chunks"


def open_chunks(path: str | Path) -> Table:
    """The table, which is made where it is missing, as is the folder."""
    raise NotImplementedError
