import contextlib
import json
from decimal import Decimal
from pathlib import Path

import click


class Store:
    """One JSON document per line: {"id", "date", "amount", "category", "note"} or {"gone": id}."""

    path = Path("ledger.json")

    def __init__(self):
        self.entries = {}
        self.highest = 0
        with contextlib.suppress(FileNotFoundError):
            try:
                for line in self.path.read_text("utf-8").splitlines():
                    self._apply(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise click.ClickException(f"ledger.json is damaged: {error}") from error

    def _apply(self, record):
        if "gone" in record:
            del self.entries[record["gone"]]
        else:
            self.entries[record["id"]] = record
            self.highest = max(self.highest, record["id"])

    def append(self, records):
        with self.path.open("a", encoding="utf-8") as stream:
            for record in records:
                stream.write(json.dumps(record) + "\n")

    def sums(self, prefix):
        found = {}
        for entry in self.entries.values():
            if entry["date"].startswith(prefix):
                found.setdefault(entry["category"], []).append(Decimal(entry["amount"]))
        return {category: sum(amounts) for category, amounts in found.items()}
