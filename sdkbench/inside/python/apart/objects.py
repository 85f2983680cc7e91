"""Objects of the solution's as the tests see them, and their classes."""

import keyword
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import records
from .exceptions import fails_a_test
from .link import Link
from .live import ATTRIBUTE, awaitable, state_of
from .wire import Node

MAX_NAME = 200
READABLE = frozenset(
    {"__doc__", "__name__", "__qualname__", "__version__", "__all__", "__wrapped__", "__fields__"}
)


def is_name(value: object) -> bool:
    return (
        type(value) is str
        and value.isidentifier()
        and not keyword.iskeyword(value)
        and len(value) <= MAX_NAME
    )


def _refused(symbol: str) -> Callable[[Any, Any], bool]:
    def compare(self: Any, other: object) -> bool:
        if symbol in {"==", "!="} and self is other:
            return symbol == "=="
        state = state_of(self)
        raise state["_apart_link"].undecidable(
            f"{symbol} on an object of the solution's ({state['_apart_path']}) would be decided by "
            "the solution: compare its attributes or what its methods return"
        )

    return compare


class ClassOfObjects(type):
    """The class of classes that stand in for the solution's."""

    _apart_kind_ = "a class"

    _apart_class: tuple[Link, int, str]
    _apart_methods: dict[str, Any]
    _apart_set: set[str]  # names that tests have set on the class
    _apart_fields: tuple[str, ...] = ()

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        link, number, path = cls._apart_class
        if not cls._apart_fields:
            return link.ask("call", [["h", number]], arguments, named, f"{path}()")
        return records.made(cls, arguments, named)

    def __getattr__(cls, name: str) -> Any:
        __tracebackhide__ = True
        if is_private(name):
            raise AttributeError(name)
        link, number, path = cls._apart_class
        return link.ask("get", [["h", number], name], None, None, f"{path}.{name}")

    def __setattr__(cls, name: str, value: object) -> None:
        link, number, _ = cls._apart_class
        cls._apart_set.add(name)
        link.set(["h", number], name, value)

    def __delattr__(cls, name: str) -> None:
        link, number, _ = cls._apart_class
        link.ask("delete", [["h", number], name], None, None, None)


def is_private(name: str) -> bool:
    dunder = name.startswith("__") and name.endswith("__")
    return name.startswith("_apart") or (dunder and name not in READABLE)


class SolutionObject:
    """Stands in for an object of the solution's; its class for the object's class."""

    __slots__ = ("__weakref__", ATTRIBUTE)
    _apart_kind_ = "an object"
    _apart_methods: dict[str, Any] = {}  # noqa: RUF012 - of each class
    _apart_set: set[str] = set()  # noqa: RUF012
    _apart_fields: tuple[str, ...] = ()
    __eq__, __ne__ = _refused("=="), _refused("!=")
    __lt__, __le__, __gt__, __ge__ = map(_refused, ("<", "<=", ">", ">="))
    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        __tracebackhide__ = True
        if is_private(name):
            raise AttributeError(name)
        known = self._apart_methods.get(name)
        if known is not None and name not in self._apart_set | state_of(self)["_apart_changed"]:
            return types.MethodType(known, self)  # one question less
        return ask(self, "get", name, None, None, f".{name}")

    def __setattr__(self, name: str, value: object) -> None:
        state = state_of(self)
        state["_apart_changed"].add(name)
        state["_apart_link"].set(["h", state["_apart_number"]], name, value)
        if name in state.get("_apart_given", ()):
            state["_apart_given"][name] = value
            state.get("_apart_then", {}).pop(name, None)

    def __delattr__(self, name: str) -> None:
        ask(self, "delete", name, None, None, "")

    def __reduce_ex__(self, protocol: Any) -> Any:
        state = state_of(self)
        raise state["_apart_link"].undecidable(
            f"An object of the solution's ({state['_apart_path']}) cannot be copied or pickled"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of the solution>"

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        return attributes_of(self)

    def __dir__(self) -> list[str]:
        return names_of(self)


def ask(target: Any, operation: str, name: str, arguments: Any, named: Any, way: str) -> Any:
    __tracebackhide__ = True
    state = state_of(target)
    link: Link = state["_apart_link"]
    words = [["h", state["_apart_number"]], name]
    return link.ask(operation, words, arguments, named, f"{state['_apart_path']}{way}")


class Attributes(Mapping[str, Any]):
    """The names are asked for now, each value when it is looked at."""

    def __init__(self, target: Any) -> None:
        self._target = target
        names = ask(target, "variables", "", None, None, ".__dict__")
        listed = names if type(names) is list else []
        self._names = dict.fromkeys(name for name in listed if type(name) is str)

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        return ask(self._target, "get", name, None, None, f".{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def attributes_of(target: Any) -> dict[str, Any]:
    """What `vars` shows: by the solution's word, each reached for as any attribute is."""
    return dict(Attributes(target))


def names_of(target: Any) -> list[str]:
    names = ask(target, "names", "", None, None, ".__dir__()")
    return [name for name in names if type(name) is str] if type(names) is list else []


def _method(name: str, *, is_async: bool) -> Any:
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        return ask(self, "method", name, arguments, named, f".{name}()")

    async def call_async(self: Any, *arguments: Any, **named: Any) -> Any:
        return await _ask_async(self, name, arguments, named)

    made = call_async if is_async else call
    made.__name__ = made.__qualname__ = name
    return made


async def _ask_async(target: Any, name: str, arguments: Any, named: Any) -> Any:
    state = state_of(target)
    link: Link = state["_apart_link"]
    words = [["h", state["_apart_number"]], name]
    return await link.ask_async(
        "method", words, arguments, named, f"{state['_apart_path']}.{name}()"
    )


# ---- the protocol of objects, where the reference's tests use it too


def _allowed(target: Any, name: str) -> None:
    state = state_of(target)
    link: Link = state["_apart_link"]
    if not link.profile.may_use(state["_apart_path"], name):
        raise link.undecidable(
            f"{name} of an object ({state['_apart_path']}) is used where the reference's is not"
        )


def _protocol(name: str, kind: type | None = None) -> Any:
    def call(self: Any, *arguments: Any) -> Any:
        __tracebackhide__ = True
        _allowed(self, name)
        value = ask(self, "method", name, arguments, {}, f".{name}()")
        if kind is not None and type(value) is not kind:
            raise TypeError(f"{name} gave {type(value).__name__}")
        return value

    call.__name__ = call.__qualname__ = name
    return call


def _representation(name: str) -> Any:
    """Asked of the solution only where the tests look at the reference's: a failing assertion
    shows objects too.
    """
    ask = _protocol(name, str)

    def call(self: Any) -> Any:
        state = state_of(self)
        profile = state["_apart_link"].profile
        if not profile.recording and not profile.may_use(state["_apart_path"], name):
            return object.__repr__(self)
        return ask(self)

    return call


def _leave(self: Any, kind: object, error: BaseException | None, trace: object) -> bool:
    """The solution hears of the error; that it swallows one must be the reference's way too."""
    del kind
    swallows = ask(self, "method", "__exit__", (error,), {}, ".__exit__()")
    return _may_swallow(self, error, trace) if error is not None and swallows else False


async def _enter_async(self: Any) -> Any:
    return await _ask_async(self, "__aenter__", (), {})


async def _leave_async(self: Any, kind: object, error: BaseException | None, trace: object) -> bool:
    del kind
    swallows = await _ask_async(self, "__aexit__", (error,), {})
    return _may_swallow(self, error, trace) if error is not None and swallows else False


def _may_swallow(self: Any, error: BaseException, trace: Any) -> bool:
    """What is left of the block is left out: at this line, or else assertions may be among it."""
    at = "?" if trace is None else f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}"
    _allowed(self, f"swallows exceptions at {at}")
    return not fails_a_test(error)


async def _next_async(self: Any) -> Any:
    state = state_of(self)
    link: Link = state["_apart_link"]
    way = f"{state['_apart_path']}[]"
    answer = await link.ask_async("next", [["h", state["_apart_number"]]], None, None, way)
    more, item = link.pair(answer)
    if not more:
        raise StopAsyncIteration
    return item


def _await(self: Any) -> Any:
    state = state_of(self)
    return awaitable(state["_apart_link"], state["_apart_number"], state["_apart_path"]).__await__()


PROTOCOL: dict[str, Any] = {
    name: _protocol(name)
    for name in """
        __iter__ __next__ __getitem__ __setitem__ __delitem__ __call__ __enter__ __aiter__
        __reversed__ __round__ __neg__ __abs__ __invert__ __add__ __radd__ __iadd__ __sub__
        __rsub__ __mul__ __rmul__ __truediv__ __floordiv__ __mod__ __pow__ __matmul__ __and__
        __or__ __xor__ __lshift__ __rshift__
    """.split()  # noqa: SIM905 - a table
} | {
    "__len__": _protocol("__len__", int),
    "__bool__": _protocol("__bool__", bool),
    "__contains__": _protocol("__contains__", bool),
    "__int__": _protocol("__int__", int),
    "__float__": _protocol("__float__", float),
    "__index__": _protocol("__index__", int),
    "__format__": _protocol("__format__", str),
    "__str__": _representation("__str__"),
    "__repr__": _representation("__repr__"),
    "__exit__": _leave,
    "__aenter__": _enter_async,
    "__aexit__": _leave_async,
    "__anext__": _next_async,
    "__await__": _await,
}


def object_class(
    name: str,
    bases: list[type],
    methods: Node,
    protocol: Node,
    *,
    compares: bool,
    real: type | None,
) -> type:
    known: dict[str, Any] = {}
    body: dict[str, Any] = {"__slots__": (), "_apart_methods": known, "_apart_set": set()}
    for each in protocol:
        if type(each) is str and each in PROTOCOL:
            body[each] = PROTOCOL[each]
    for method, how in methods:
        if is_name(method) and not is_private(method):
            known[method] = _method(method, is_async=how == "async")
    if compares:
        body["__hash__"] = _refused_hash
    if real is not None:
        # `isinstance` of a package's class: no more than the solution's own claim, as ever.
        body["__class__"] = property(lambda _: real)
    try:
        return ClassOfObjects(name, tuple(bases) or (SolutionObject,), body)
    except TypeError:  # bases that no class can have together
        return ClassOfObjects(name, (SolutionObject,), body)


def make_record(kind: type, names: list[str], *, is_dataclass: bool) -> None:
    """A class whose objects are no more than their fields."""
    type.__setattr__(kind, "_apart_fields", tuple(names))
    type.__setattr__(kind, "__eq__", _equal)
    type.__setattr__(kind, "__ne__", lambda self, other: not _equal(self, other))
    if is_dataclass:
        type.__setattr__(kind, "__dataclass_fields__", records.fields_of(names))


def _equal(self: Any, other: object) -> bool:
    if self is other:
        return True
    return type(other) is type(self) and records.are_equal(self, other)


def _refused_hash(self: Any) -> int:
    state = state_of(self)
    raise state["_apart_link"].undecidable(
        f"The hash of an object ({state['_apart_path']}) would be decided by the solution"
    )
