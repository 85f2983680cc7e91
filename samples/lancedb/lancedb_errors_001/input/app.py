"""Store readings in LanceDB, and keep those that can't be stored with the reason.

The database folder `path` (created where missing) holds two tables with exactly these columns:

- `readings`: id (string), at (int64), value (float64), vector (fixed-size list of three float32);
- `rejected`: source (string), position (int64), reason (string), record (string).

A record is good if it is a dict with at least these keys (others are ignored): `id`, a text that is
not empty; `at`, an int; `value`, an int or a float; `vector`, a list of three ints or floats. True
and False are no numbers. Otherwise its reason is the first of these that holds, going through the
fields in the order id, at, value, vector for each:

1. `not a record`: it is no dict;
2. `missing FIELD`: the field is not there, or None;
3. `wrong type FIELD`: another type than stated, or an empty id; a list that holds anything but
   numbers, too;
4. `not finite value`, `not finite vector`: the value, or a number of the vector, is NaN or inf;
5. `wrong length N`: the vector has N numbers instead of three;
6. `repeated`: the id is in the table already, or an earlier good record of this batch has it.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

READINGS = "readings"
REJECTED = "rejected"


def ingest(
    path: str | Path, source: str, records: Iterable[Any], *, strict: bool = False
) -> dict[str, Any]:
    """Store the good records; returns {"stored": how many, "rejected": {reason: how many}}.

    Bad ones go to `rejected` with their source, their position in `records` (from 0), their reason
    and the record as JSON (what JSON can't hold, as its str). Both tables are there afterwards.

    With `strict`, one bad record makes it raise ValueError whose message holds its position and
    reason, as in "position 3: missing at" (of several, those of the first). Then neither table is
    written to.

    RuntimeError if a table has other columns than stated; then neither table is written to.
    """
    raise NotImplementedError


def rejected(path: str | Path, source: str) -> list[list[Any]]:
    """[position, reason] of every record that was rejected from this source, by position.

    Any text may stand in `source`. Empty if the folder or the table does not exist; neither is
    created.
    """
    raise NotImplementedError
