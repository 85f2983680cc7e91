"""One of each kind."""

import asyncio
import contextlib
import dataclasses
import datetime as dt
import decimal
import enum
import json
import logging
import os
import pathlib
import sys
import tempfile
import time
import typing
import uuid
import warnings

LIMIT = 7
NAMES = ["a", "b"]
TABLE = {"one": 1, "many": [1, 2, {"deep": (3, None)}]}
log = logging.getLogger("zoo")


class ZooError(Exception):
    pass


class NotFound(ZooError, KeyError):
    def __init__(self, name, code=404):
        super().__init__(name)
        self.code = code

    def __str__(self):
        return f"no {self.args[0]}"


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Tag(str, enum.Enum):
    NEW = "new"


class Point(typing.NamedTuple):
    x: int
    y: int = 0


@dataclasses.dataclass
class Item:
    name: str
    price: float = 1.5
    tags: list = dataclasses.field(default_factory=list)

    def total(self, count):
        return self.price * count


def add(a, b=2, *rest, scale=1, **more):
    """Adds."""
    return (a + b + sum(rest) + sum(more.values())) * scale


def echo(value):
    return value


def kinds():
    return [
        None, True, 1, 2**80, 1.5, float("inf"), 1 + 2j, "text", b"bytes", bytearray(b"x"), (1, 2), {1, 2},
        frozenset({3}), dt.datetime(2024, 1, 2, 3, 4, tzinfo=dt.timezone.utc), dt.date(2024, 1, 2), dt.time(3, 4),
        dt.timedelta(seconds=5), decimal.Decimal("1.10"), uuid.UUID(int=5), pathlib.Path("/a/b"), range(3),
    ]


def fail(kind):
    if kind == "missing":
        raise NotFound("thing")
    if kind == "value":
        raise ValueError("bad value: 3", 3)
    if kind == "chain":
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise ZooError("outer") from error
    if kind == "exit":
        sys.exit(3)
    if kind == "os":
        open("/does/not/exist")
    if kind == "json":
        json.loads("{")


class Store:
    kind = "memory"
    made = 0

    def __init__(self, items=None):
        self._items = dict(items or {})
        self.open = True
        Store.made += 1

    @classmethod
    def of(cls, **items):
        return cls(items)

    @staticmethod
    def twice(value):
        return value * 2

    @property
    def size(self):
        return len(self._items)

    def put(self, key, value):
        self._items[key] = value
        return self

    def get(self, key, default=None):
        return self._items.get(key, default)

    def __len__(self):
        return len(self._items)

    def __contains__(self, key):
        return key in self._items

    def __getitem__(self, key):
        return self._items[key]

    def __setitem__(self, key, value):
        self._items[key] = value

    def __delitem__(self, key):
        del self._items[key]

    def __iter__(self):
        return iter(self._items)

    def __call__(self, key):
        return self.get(key)

    def __repr__(self):
        return f"Store({self._items})"

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.open = False


class Sub(Store):
    def get(self, key, default=None):
        return ("sub", super().get(key, default))


def make_store(**items):
    return Store(items)


def count(limit):
    for number in range(limit):
        yield number


def talk():
    heard = yield "ready"
    while True:
        heard = yield f"heard {heard}"


@contextlib.contextmanager
def opened(path):
    with open(path, "a+") as stream:
        stream.write("begin\n")
        yield path
        stream.write("end\n")


async def later(value, seconds=0.0):
    await asyncio.sleep(seconds)
    return value


async def stream(limit):
    for number in range(limit):
        yield number


class Client:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *exc):
        pass

    async def fetch(self, name):
        await asyncio.sleep(0)
        return {"name": name}


async def each(values, function):
    return [await function(value) for value in values]


def apply(function, values):
    return [function(value) for value in values]


def try_each(functions):
    done = []
    for function in functions:
        try:
            done.append(function())
        except ValueError as error:
            done.append(str(error))
    return done


def use(service):
    service.send("hello", count=2)
    return service.name


def fill(target):
    target.append(1)
    target.append({"two": 2})


def merge(target, other):
    target.update(other)
    return target


class Bus:
    def __init__(self, backing):
        self._backing = backing

    def publish(self, event):
        self._backing.append(event)


def consume(values):
    return sum(values)


def write(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def temporary():
    folder = tempfile.mkdtemp()
    return write(f"{folder}/file.txt", "temporary")


def here():
    pathlib.Path("here.txt").write_text("here")


def setting():
    return os.environ.get("ZOO_SETTING", "default")


def say(text):
    print(text)
    print("problem", file=sys.stderr)


def note(text):
    log.warning("noted %s", text)


def warn():
    warnings.warn("old", DeprecationWarning, stacklevel=2)


def helper():
    return "real"


def uses_helper():
    return helper()


def waits():
    time.sleep(0.01)
    return "waited"


def main():
    print(" ".join(sys.argv[1:]))
    return 0


def maker(factor):
    def multiply(value):
        return value * factor

    return multiply


def item(name):
    return Item(name)


def color(name):
    return Color(name)


def point(x, y):
    return Point(x, y)
