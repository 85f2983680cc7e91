"""The sales of a shop in one DuckDB file (duckdb 2.0.0 is installed, nothing else: neither numpy nor
pandas nor pyarrow).

The table `sales` has the columns till INTEGER and number INTEGER (together the primary key), day
DATE, article VARCHAR and cents BIGINT, none of them null. `path` is the file; file and table are
created where missing. Every function closes its connection, since others open the same file.

A till's file is CSV in UTF-8 with the first line till;number;day;article;price, fields between ";"
and quoted by " where needed. Days are written 31.12.2025. An article is a text even if it looks like
a number: 0042 is not 42. A price is written with a comma and two digits behind it (1234,50), and is
stored in cents.

This file is imported as part of a package: import further modules relatively.
"""

from datetime import date
from pathlib import Path


def load(path: Path, csv: Path) -> dict[str, int]:
    """Store the sales of a till's file; returns {"new": …, "replaced": …}, the number of sales that
    were not there and of those that were.

    Of several lines of one sale (till and number) in a file, the last one counts, and it counts
    once. duckdb.Error if a line does not fit (another number of fields, a day or price that is
    none, an empty field); then nothing of the file is stored. The path may hold any characters.
    """
    raise NotImplementedError


def correct(path: Path, till: int, number: int, cents: int) -> int:
    """Set the cents of one sale; returns what they were before. LookupError if there is no such
    sale."""
    raise NotImplementedError


def export(path: Path, folder: Path, first: date, last: date) -> list[str]:
    """Write the sales from the day `first` to the day `last` (both included) into one Parquet file
    for each day that has any, called 2025-12-31.parquet, in `folder`, which exists; returns the
    names in order. A file of that name is overwritten, other files stay.

    The columns are till, number, article and cents, the rows are in the order of till and number.
    """
    raise NotImplementedError
