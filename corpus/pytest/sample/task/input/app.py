"""A ledger of accounts, and four small things to do with text and ranges."""

from collections.abc import Iterable


class Overdrawn(ValueError):
    """More was asked for than there is; the message names the account."""


class Account:
    def __init__(self, name: str) -> None:
        self.name = name
        self.amount = 0


class Ledger:
    def deposit(self, name: str, amount: int) -> None:
        raise NotImplementedError

    def withdraw(self, name: str, amount: int) -> None:
        """Raise Overdrawn, and change nothing, where the account holds less."""
        raise NotImplementedError

    def balance(self, name: str) -> int:
        raise NotImplementedError

    def find(self, name: str) -> Account | None:
        """The account itself, the same object each time; None if nothing was ever deposited."""
        raise NotImplementedError


def parse_duration(text: str) -> int:
    """Seconds of '90s', '1h30m' or '2d 5s'; ValueError for anything else."""
    raise NotImplementedError


def merge_ranges(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges in order, those that overlap or touch made one."""
    raise NotImplementedError


def count_words(text: str) -> dict[str, int]:
    """How often each word occurs, in lower case."""
    raise NotImplementedError


def slug(text: str) -> str:
    """Words joined by '-', lower case, without accents or punctuation."""
    raise NotImplementedError
