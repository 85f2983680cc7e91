"""Files of a project as runners read them: where each will stand, and its text."""

from pathlib import Path
from typing import NamedTuple

MAX_READ_BYTES = 2 * 1024 * 1024  # no source that somebody wrote is larger


class Placed(NamedTuple):
    """A file on the host and where it will stand below the workspace."""

    source: Path
    target: str


def text_of(path: Path) -> str:
    """The text, or nothing where the file can't be read or is too big to be source."""
    try:
        if path.stat().st_size > MAX_READ_BYTES:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
