"""Words in one DuckDB file, and how often each was there."""

from pathlib import Path


def save(path: Path, text: str) -> None:
    """The table `words`, made anew: each word of the text and how `often` it is there."""
    raise NotImplementedError
