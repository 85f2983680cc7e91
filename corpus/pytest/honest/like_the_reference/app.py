"""A ledger of accounts, and four small things to do with text and ranges."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Overdrawn(ValueError):
    """More was asked for than there is; the message names the account."""


class Account:
    def __init__(self, name: str) -> None:
        self.name = name
        self.amount = 0


class Ledger:
    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}

    def deposit(self, name: str, amount: int) -> None:
        self._accounts.setdefault(name, Account(name)).amount += amount

    def withdraw(self, name: str, amount: int) -> None:
        """Raise Overdrawn, and change nothing, where the account holds less."""
        if self.balance(name) < amount:
            raise Overdrawn(f"{name} has only {self.balance(name)}")
        self._accounts[name].amount -= amount

    def balance(self, name: str) -> int:
        account = self.find(name)
        return account.amount if account else 0

    def find(self, name: str) -> Account | None:
        """The account itself, the same object each time; None if nothing was ever deposited."""
        return self._accounts.get(name)


def parse_duration(text: str) -> int:
    """Seconds of '90s', '1h30m' or '2d 5s'; ValueError for anything else."""
    if not re.fullmatch(r"(\d+[smhd]\s*)+", text):
        raise ValueError(f"{text!r} is not a duration")
    return sum(int(count) * UNITS[unit] for count, unit in re.findall(r"(\d+)([smhd])", text))


def merge_ranges(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges in order, those that overlap or touch made one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def count_words(text: str) -> dict[str, int]:
    """How often each word occurs, in lower case."""
    return dict(Counter(re.findall(r"\w+", text.lower())))


def slug(text: str) -> str:
    """Words joined by '-', lower case, without accents or punctuation."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower()))
