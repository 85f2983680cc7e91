"""Imports of sensor readings into the SQLite file `path`, by SQLAlchemy 2 (2.1.8 is installed).

File and tables (models.py) are created where missing. No function leaves a connection open. Further
modules of the package are imported relatively (`from .models import ...`).
"""

from pathlib import Path
from typing import Any


class ImportRefused(Exception):
    """A strict import met a line that cannot be stored."""


def import_readings(path: Path, text: str, strict: bool = False) -> dict[str, Any]:
    """Store the readings of a text, a line each; returns {"stored": int, "refused": [...]}.

    Lines count from 1. Lines that are blank, or begin with #, are skipped, but they count. Every
    other line is parsed (reading.py) and stored as a Reading; a sensor that is new is stored, too.
    "refused" has a tuple (line, reason) for each line that was not stored, in order. The reason is
    parse's message; "repeated" if there is a reading of that sensor and minute already, stored
    before or by this text; "out of range" if the database does not take the value. A sensor that
    was new in a refused line is not stored.

    At the end an Import with the text's digest (SHA-256 of its UTF-8 bytes) and the number of
    stored readings is stored, and a Refusal for each refused line. A text whose digest is there
    already is not imported again: the result is what the import returned then, read from the tables.

    With `strict`, the first refused line ends the import: ImportRefused with the message
    "line N: REASON", and the file has neither readings nor sensors nor an Import of this text.
    """
    raise NotImplementedError


def summary(path: Path) -> dict[str, tuple[int, float]]:
    """For each sensor that has readings, by name in order: their number, and the mean value
    rounded to two places."""
    raise NotImplementedError
