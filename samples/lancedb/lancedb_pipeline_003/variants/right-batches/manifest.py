"""The manifest of a backup."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self


class Manifest:
    """What the backup in `folder` holds."""

    def __init__(self, folder: Path, tables: dict[str, Any] | None = None) -> None:
        """Begin, or go on with what was read."""
        self.folder = folder
        self.tables = tables or {}

    @classmethod
    def read(cls, folder: Path) -> Self:
        """LookupError if there is none."""
        try:
            content = (folder / "manifest.json").read_bytes()
        except FileNotFoundError as error:
            raise LookupError(folder) from error
        return cls(folder, json.loads(content)["tables"])

    def digest(self, name: str) -> str:
        """Of the file of a table."""
        with (self.folder / f"{name}.parquet").open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def note(self, name: str, rows: int, columns: list[str]) -> None:
        """Take a table in."""
        self.tables[name] = {"rows": rows, "columns": columns, "sha256": self.digest(name)}

    def problem(self, name: str) -> str | None:
        """None if the file is as noted."""
        try:
            same = self.digest(name) == self.tables[name]["sha256"]
        except FileNotFoundError:
            return f"missing {name}"
        return None if same else f"damaged {name}"

    def rows(self, names: Iterable[str]) -> dict[str, int]:
        """How many rows these tables have."""
        return {name: self.tables[name]["rows"] for name in names}
