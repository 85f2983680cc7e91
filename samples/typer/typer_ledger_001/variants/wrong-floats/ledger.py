"""The ledger itself: entries, their checks, and the file they are kept in."""

import datetime
import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,2})?")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


class LedgerError(Exception):
    pass


@dataclass(frozen=True)
class Entry:
    id: int
    date: str
    amount: float
    category: str
    note: str


def parse_amount(text: str) -> float:
    amount = float(text) if AMOUNT.fullmatch(text) else 0.0
    if amount <= 0:
        raise LedgerError(f"not an amount: {text!r}")
    return amount


def parse_date(text: str) -> str:
    try:
        if not DATE.fullmatch(text):
            raise ValueError
        datetime.date.fromisoformat(text)
    except ValueError:
        raise LedgerError(f"not a date: {text!r}") from None
    return text


def parse_month(text: str) -> str:
    if not MONTH.fullmatch(text):
        raise LedgerError(f"not a month: {text!r}")
    return text


@dataclass
class Ledger:
    next_id: int = 1
    entries: list[Entry] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path) -> "Ledger":
        if not path.exists():
            return cls()
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            entries = [Entry(**{**row, "amount": float(row["amount"])}) for row in data["entries"]]
            return cls(data["next_id"], entries)
        except (OSError, ValueError, TypeError, KeyError, ArithmeticError) as error:
            raise LedgerError(f"{path} cannot be read: {error}") from error

    def save(self, path: Path) -> None:
        rows = [{**asdict(entry), "amount": str(entry.amount)} for entry in self.entries]
        text = json.dumps({"next_id": self.next_id, "entries": rows}, indent=1)
        temporary = path.with_suffix(".new")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)

    def add(self, date: str, amount: str, category: str, note: str) -> Entry:
        if not category.strip():
            raise LedgerError("the category is empty")
        if any(c in category + note for c in "\t\r\n"):
            raise LedgerError("tabs and line ends are not allowed")
        entry = Entry(self.next_id, parse_date(date), parse_amount(amount), category, note)
        self.entries.append(entry)
        self.next_id += 1
        return entry

    def remove(self, entry_id: int) -> None:
        kept = [entry for entry in self.entries if entry.id != entry_id]
        if len(kept) == len(self.entries):
            raise LedgerError(f"no expense has the id {entry_id}")
        self.entries = kept

    def ordered(self) -> list[Entry]:
        return sorted(self.entries, key=lambda entry: (entry.date, entry.id))
