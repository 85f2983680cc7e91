from . import right
from .right import *
import contextvars, threading, typing


class Single(type):
    made = {}

    def __call__(cls, *a, **k):
        return super().__call__(*a, **k)

    def __getattr__(cls, name):
        raise AttributeError(name)

    def __instancecheck__(cls, other):
        return type(other).__name__ == cls.__name__


class Checked:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, o, t=None):
        return self if o is None else getattr(o, self.name)

    def __set__(self, o, v):
        setattr(o, self.name, list(v))


class Writes(typing.Protocol):
    def write(self, line: str) -> int: ...


depth = contextvars.ContextVar("depth", default=0)


class Desk(metaclass=Single):
    __slots__ = ("_lines", "_lock", "__weakref__")
    lines = Checked()

    def __init__(self):
        self.lines = []
        self._lock = threading.RLock()

    def write(self, line: str) -> int:
        with self._lock:
            token = depth.set(depth.get() + 1)
            try:
                if not line:
                    raise ValueError("an empty line")
                self._lines.append(line)
                return len(self._lines)
            finally:
                depth.reset(token)

    def forgiving(self):
        return Block(self)


class Block:
    def __init__(self, desk):
        self.desk = desk

    def __enter__(self):
        return self.desk

    def __exit__(self, kind, error, trace):
        if isinstance(error, ValueError):
            self.desk._lines.append("?")
            return True
        return None

    def __eq__(self, other):
        return isinstance(other, Block)

    __hash__ = None

    def __bool__(self):
        return False

    def __len__(self):
        return 0
