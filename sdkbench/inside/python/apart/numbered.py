"""The solution's live objects as the tests' side is told of them: by number and description."""

import collections.abc
import dataclasses
import enum
import functools
import inspect
import os
import sys
import types
from typing import Any

from . import wire
from .given import Given
from .wire import Node

MAX_MESSAGE = 100_000
MAX_CAUSES = 3
MAX_FRAMES = 20
MAX_NOTES = 20
# What the tests' side may use of an object's protocol, if its class has it.
PROTOCOL = frozenset(
    """
    __len__ __iter__ __next__ __getitem__ __setitem__ __delitem__ __contains__ __call__ __bool__
    __enter__ __exit__ __aenter__ __aexit__ __aiter__ __anext__ __await__ __str__ __repr__
    __int__ __float__ __index__ __format__ __reversed__ __round__ __neg__ __abs__ __invert__
    __add__ __radd__ __iadd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __floordiv__
    __mod__ __pow__ __matmul__ __and__ __or__ __xor__ __lshift__ __rshift__
    """.split()  # noqa: SIM905 - a table
)
BASES: tuple[Any, ...] = (str, int, float, bytes, list, dict, tuple, set, frozenset)
PLAINLY_MADE = frozenset({"builtins", "collections", "abc", "typing", "collections.abc"})
CALLABLES = (types.FunctionType, types.MethodType, functools.partial, types.BuiltinFunctionType)


class Numbered:
    """They are kept until the other side lets go of them."""

    def __init__(self, root: str, *, held: bool) -> None:
        """Unless `held` to a reference's profile, what is made from plain data counts as such
        unless it has methods of its own: the tests of the reference may not need the rest.
        """
        self._root = root
        self._held = held
        self.by_number: dict[int, object] = {}
        self._numbers: dict[int, int] = {}
        self._next = 1

    def number(self, value: object) -> int:
        known = self._numbers.get(id(value))
        if known is None:
            known = self._numbers[id(value)] = self._next
            self.by_number[known] = value  # kept, so that the id stays its own
            self._next += 1
        return known

    def release(self, numbers: list[int]) -> None:
        for number in numbers:
            value = self.by_number.pop(number, None)
            self._numbers.pop(id(value), None)

    def other(self, value: Any, encoder: wire.Encoder, depth: int) -> Node:
        """For `wire.Encoder`: what is not plain data."""
        kind = type(value)
        if isinstance(value, Given):
            return ["cb", vars(value)["_apart_number"]]
        if isinstance(value, enum.Enum) and value.name is not None:
            return ["en", self.number(kind), value.name]
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, BaseException):
            return self.exception(value, encoder)
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return ["nt", self.number(kind), *encoder.encode_all(value, depth + 1)]
        if isinstance(value, CALLABLES) or inspect.isroutine(value):
            return self._function(value)
        tag = _form(value)
        if tag is not None:
            return [tag, self.number(value)]
        base = next((base for base in BASES if isinstance(value, base)), None)
        if base is not None and not _has_own(kind) and not (self._held and _has_more(value)):
            return encoder.encode(base(value), depth + 1)
        return ["ob", self.number(value), self._class(kind)]

    def _class(self, kind: type) -> Node:
        if kind.__module__ == "builtins":
            return ["B", kind.__name__, self.number(kind)]
        if kind.__module__.partition(".")[0] in sys.stdlib_module_names:
            return ["X", kind.__module__, kind.__qualname__, self.number(kind)]
        if _is_installed(kind, self._root):
            return ["X", kind.__module__, kind.__qualname__, self.number(kind)]
        return ["C", self.number(kind)]

    def _function(self, value: Any) -> Node:
        what = "async" if inspect.iscoroutinefunction(value) else "plain"
        parameters: Node = None
        try:
            signature = inspect.signature(value)
            parameters = [
                [p.name, int(p.kind), p.default is not p.empty, _plain_or_none(p.default)]
                for p in signature.parameters.values()
            ]
        except (ValueError, TypeError):
            pass
        name = getattr(value, "__name__", None)
        return [
            "fn",
            self.number(value),
            name if isinstance(name, str) else "function",
            what,
            parameters,
            _text_or_none(getattr(value, "__doc__", None)),
            hasattr(value, "__wrapped__"),
            _place_of(value),
        ]

    def exception(self, error: BaseException, encoder: wire.Encoder, causes: int = 0) -> Node:
        number = getattr(error, "__dict__", {}).get("_apart_number")
        if type(number) is int:
            return ["te", number]  # one of the tests' own, on its way back
        try:
            message = str(error)[:MAX_MESSAGE]
        except Exception:  # noqa: BLE001 - judged code
            message = ""
        attributes: list[Node] = []
        for name, value in list(getattr(error, "__dict__", {}).items()):
            if isinstance(name, str) and not name.startswith("_"):
                attributes += [name, self._plain(value, encoder)]
        cause = error.__cause__
        return [
            "ex",
            self._class(type(error)),
            [self._plain(argument, encoder) for argument in error.args],
            message,
            attributes,
            self._plain(_particular(error), encoder),
            _trace(error),
            ["L", *_notes(error)],
            None
            if cause is None or causes >= MAX_CAUSES
            else self.exception(cause, encoder, causes + 1),
        ]

    def _plain(self, value: object, encoder: wire.Encoder) -> Node:
        """Plain data, or its text: attributes of an exception are looked at, not called."""
        try:
            return encoder.encode(value, wire.MAX_DEPTH // 2)
        except Exception:  # noqa: BLE001 - judged code
            return None

    def describe(self, kind: type) -> Node:
        """All that the other side needs to make a class that stands in for this one."""
        what, extra = _facet(kind)
        methods, protocol = [], []
        for name in dir(kind):
            value = inspect.getattr_static(kind, name, None)
            if name.startswith("__") and name.endswith("__"):
                if name in PROTOCOL and value is not getattr(object, name, None) and value:
                    protocol.append(name)
            elif isinstance(value, types.FunctionType):
                methods.append([name, "async" if inspect.iscoroutinefunction(value) else "plain"])
        if what == "enum":
            extra = _members(kind)
        return [
            kind.__name__,
            what,
            [self._class(base) for base in kind.__bases__],
            methods,
            protocol,
            extra,
            _text_or_none(kind.__doc__),
            getattr(kind, "__eq__", None) is not object.__eq__,
            [str(kind.__module__), str(kind.__qualname__)],
        ]


def _members(kind: Any) -> Node:
    """None where their values are more than plain data."""
    encoder = wire.Encoder(_refuse)
    try:
        return [[name, encoder.encode(each.value)] for name, each in kind.__members__.items()]
    except Exception:  # noqa: BLE001 - judged code
        return None


def _refuse(value: object, _: wire.Encoder, __: int) -> Node:
    raise TypeError(type(value).__name__)


def _form(value: object) -> str | None:
    """The tag of what is known by its number alone."""
    if isinstance(value, types.ModuleType):
        return "m"
    if inspect.isasyncgen(value):
        return "ai"
    if inspect.iscoroutine(value):
        return "aw"
    iterates = isinstance(value, collections.abc.Iterator) and not _has_own(type(value))
    return "it" if iterates else None


def _facet(kind: type) -> tuple[str, Node]:
    if issubclass(kind, enum.Enum):
        flag = "flag" if issubclass(kind, enum.Flag) else None
        base = "int" if issubclass(kind, int) else "str" if issubclass(kind, str) else flag
        return "enum", base
    if issubclass(kind, BaseException):
        return "exception", None
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return "named tuple", list(kind._fields)
    if dataclasses.is_dataclass(kind):
        return "dataclass", [field.name for field in dataclasses.fields(kind)]
    for name in ("model_fields", "__attrs_attrs__"):  # pydantic's and attrs' classes
        fields = getattr(kind, name, None)
        if isinstance(fields, dict | tuple):
            return "record", [getattr(field, "name", field) for field in fields]
    return "class", None


def _has_own(kind: type) -> bool:
    """Whether a class that is made from plain data's has anything public to call besides."""
    if kind.__module__ in {"builtins", "itertools", "collections"}:
        return False
    plain = {name for base in (*BASES, type(iter(()))) for name in dir(base)}
    return any(
        not name.startswith("_") and callable(getattr(kind, name, None))
        for name in set(dir(kind)) - plain
    )


def _has_more(value: Any) -> bool:
    """Whether something that is made from plain data has attributes of its own besides."""
    kinds = [kind for kind in type(value).__mro__ if kind.__module__ not in PLAINLY_MADE]
    names = {name for kind in kinds for name in vars(kind)}
    if names & {"__getattr__", "__getattribute__"}:
        return True
    public = {*names, *getattr(value, "__dict__", ())} - {*dir(dict), *dir(str)}
    return any(isinstance(name, str) and not name.startswith("_") for name in public)


def plain_copy(value: Any) -> Any:
    """Raises RecursionError where it is too deep."""
    if isinstance(value, dict):
        return {plain_copy(key): plain_copy(each) for key, each in value.items()}
    if isinstance(value, enum.Enum) or not isinstance(value, BASES):
        return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return value
    base = next(base for base in BASES if isinstance(value, base))
    if base in {str, int, float, bytes}:
        return value if type(value) is bool else base(value)
    return base(plain_copy(each) for each in value)


def _is_installed(kind: type, root: str) -> bool:
    """A class of a package, not of the solution's own files."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return isinstance(file, str) and not file.startswith(root)


def _plain_or_none(value: object) -> Node:
    return value if type(value) in {bool, int, float, str} and value == value else None  # noqa: PLR0124


def _text_or_none(value: object) -> str | None:
    return value[:MAX_MESSAGE] if isinstance(value, str) else None


def _particular(error: BaseException) -> object:
    """What some exceptions keep beside their arguments."""
    if isinstance(error, SystemExit):
        return error.code
    if isinstance(error, OSError):
        return (error.errno, error.strerror, error.filename)
    if isinstance(error, StopIteration):
        return error.value
    return None


def _place_of(value: Any) -> Node:
    """The module and the line where a function begins."""
    code = getattr(inspect.unwrap(value), "__code__", None)
    line = getattr(code, "co_firstlineno", 1)
    return [str(getattr(value, "__module__", "") or ""), line if type(line) is int else 1]


def _notes(error: BaseException) -> list[str]:
    notes = getattr(error, "__notes__", [])
    texts = [note for note in notes if type(note) is str] if isinstance(notes, list) else []
    return [text[:MAX_MESSAGE] for text in texts[:MAX_NOTES]]


def _trace(error: BaseException) -> str:
    """For whoever reads why a test failed: the solution's own lines."""
    import traceback  # noqa: PLC0415 - only where something was raised

    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if f"{os.sep}inside{os.sep}python{os.sep}" not in frame.filename
    ]
    return "".join(traceback.format_list(frames[-MAX_FRAMES:]))[:MAX_MESSAGE]
