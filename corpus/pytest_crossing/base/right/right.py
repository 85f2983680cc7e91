"""A warehouse: goods come and go, and whoever asked is told."""

import contextlib
import dataclasses
import enum
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Level(enum.Enum):
    EMPTY = "empty"
    LOW = "low"
    ENOUGH = "enough"


class Move(NamedTuple):
    name: str
    by: int


@dataclasses.dataclass
class Item:
    name: str
    count: int
    price: Decimal = Decimal("1.00")

    def worth(self) -> Decimal:
        return self.count * self.price


class OutOfStock(ValueError):
    """More was asked for than there is."""

    def __init__(self, name: str, missing: int) -> None:
        super().__init__(f"{missing} of {name} are missing")
        self.missing = missing


class Warehouse:
    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._moves: list[Move] = []
        self._listeners: list[Callable[[str, int], object]] = []

    def add(self, name: str, count: int, price: str = "1.00") -> Item:
        item = self._items.setdefault(name, Item(name, 0, Decimal(price)))
        self._move(item, count)
        return item

    def take(self, name: str, count: int) -> Move:
        """Raise OutOfStock, and change nothing, where there is less."""
        there = self.count(name)
        if there < count:
            raise OutOfStock(name, count - there)
        return self._move(self._items[name], -count)

    def _move(self, item: Item, by: int) -> Move:
        item.count += by
        move = Move(item.name, by)
        self._moves.append(move)
        for listener in self._listeners:
            listener(item.name, by)
        return move

    def count(self, name: str) -> int:
        return self._items[name].count if name in self._items else 0

    def level(self, name: str) -> Level:
        count = self.count(name)
        return Level.ENOUGH if count >= 10 else Level.LOW if count else Level.EMPTY

    @property
    def worth(self) -> Decimal:
        return sum((item.worth() for item in self._items.values()), Decimal())

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._items))

    def __getitem__(self, name: str) -> Item:
        return self._items[name]

    def find(self, name: str) -> Item | None:
        return self._items.get(name)

    def moves(self) -> Iterator[Move]:
        yield from self._moves

    def on_move(self, listener: Callable[[str, int], object]) -> None:
        self._listeners.append(listener)

    @contextlib.contextmanager
    def undone_on_error(self) -> Iterator["Warehouse"]:
        """What is done in the block is undone where it ends by an error, which goes on."""
        before = {name: item.count for name, item in self._items.items()}
        try:
            yield self
        except Exception:
            for name, item in self._items.items():
                item.count = before.get(name, 0)
            raise

    async def arrivals(self, names: Iterable[str]) -> AsyncIterator[str]:
        for name in names:
            self.add(name, 1)
            yield name

    async def order(self, name: str, count: int) -> int:
        self.add(name, count)
        return self.count(name)

    def save(self, path: Path) -> None:
        counts = {name: item.count for name, item in self._items.items()}
        path.write_text(json.dumps(counts, sort_keys=True))

    @classmethod
    def load(cls, path: Path) -> "Warehouse":
        made = cls()
        for name, count in json.loads(path.read_text()).items():
            made.add(name, count)
        return made


def doubled(numbers: list[int]) -> list[int]:
    """A new list; the old one stays as it is."""
    return [2 * number for number in numbers]


def halves(numbers: list[int]) -> Iterator[float]:
    for number in numbers:
        yield number / 2


def tidy(names: list[str]) -> None:
    """In place: sorted, and each name once."""
    names[:] = sorted({*names})


def at_most(times: int, work: Callable[[], T]) -> T:
    """The first result of `work` that comes without an OSError; the last one is raised."""
    for left in range(times - 1, -1, -1):
        try:
            return work()
        except OSError:
            if not left:
                raise
    raise ValueError("times")


def is_even(number: int) -> bool:
    return number % 2 == 0


def report(warehouse: Warehouse, most: int = 3) -> dict[str, object]:
    names = list(warehouse)[:most]
    return {"names": names, "worth": warehouse.worth, "levels": [warehouse.level(n).value for n in names]}
