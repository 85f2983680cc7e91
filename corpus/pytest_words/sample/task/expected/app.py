"""Words in one DuckDB file, and how often each was there."""

from pathlib import Path

import duckdb


def save(path: Path, text: str) -> None:
    """The table `words`, made anew: each word of the text and how `often` it is there."""
    with duckdb.connect(path) as db:
        db.execute("CREATE OR REPLACE TABLE words (word VARCHAR PRIMARY KEY, often INTEGER)")
        for word in sorted(set(text.split())):
            db.execute("INSERT INTO words VALUES (?, ?)", [word, text.split().count(word)])
